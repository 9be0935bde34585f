import { InputError } from '../../../errors.ts';
import type { Service } from '../service.ts';
import { Tools, toolList } from './tools.ts';

/** The part of the package that is used; it need not be installed to compile this file. */
interface Sdk {
  readonly Server: new (about: object, options: object) => McpServer;
  readonly StdioServerTransport: new () => object;
  readonly CallToolRequestSchema: object;
  readonly ListToolsRequestSchema: object;
}

/** Server of the package. */
export interface McpServer {
  onclose?: () => void;
  setRequestHandler(
    schema: object,
    handle: (request: CallRequest, extra: { readonly signal: AbortSignal }) => unknown,
  ): void;
  connect(transport: object): Promise<void>;
  close(): Promise<void>;
}

interface CallRequest {
  readonly params: { readonly name: string; readonly arguments?: Readonly<Record<string, unknown>> };
}

/** Loads the optional package of the protocol. Throws `InputError` if it is not installed. */
async function sdk(): Promise<Sdk> {
  try {
    const modules: object[] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js' as string),
      import('@modelcontextprotocol/sdk/server/stdio.js' as string),
      import('@modelcontextprotocol/sdk/types.js' as string),
    ]);
    return Object.assign({}, ...modules) as Sdk;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
    throw new InputError(
      'mcp needs a package that is not installed',
      'Install it with: npm install @modelcontextprotocol/sdk',
    );
  }
}

/**
 * Creates a server of the Model Context Protocol whose tools are methods of a service; without a transport.
 * @param tools is closed with the server
 */
export async function createMcpServer(service: Service, tools = new Tools(service)): Promise<McpServer> {
  const { Server, CallToolRequestSchema, ListToolsRequestSchema } = await sdk();
  const about = { name: 'elbowroom', version: service.options.version };
  const server = new Server(about, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolList() }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) =>
    tools.call(params.name, params.arguments, signal),
  );
  server.onclose = () => tools.close();
  return server;
}

/**
 * Serves an agent over stdin and stdout; resolves once `stopped` does, or at the end of stdin, after the last response.
 */
export async function serveMcp(service: Service, stopped: Promise<unknown>): Promise<void> {
  const { StdioServerTransport } = await sdk();
  const tools = new Tools(service);
  const server = await createMcpServer(service, tools);
  const ended = new Promise((resolve) => process.stdin.once('end', resolve).once('close', resolve));
  await server.connect(new StdioServerTransport());
  await Promise.race([ended.then(() => tools.idle()), stopped]);
  await server.close();
}
