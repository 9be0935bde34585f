import * as z from 'zod';
import { frameMessages } from './frameMessages.ts';
import { type MethodName, serviceMessages } from './serviceMessages.ts';

type Json = Readonly<Record<string, unknown>>;

const id = { type: ['string', 'number', 'null'] };
const version = { const: '2.0' };

/** Error codes: those of JSON-RPC 2.0, then those of the service. */
export const errorCodes = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  tooLarge: -32001,
  timeLimit: -32002,
  invalidFrame: -32003,
  cancelled: -32800,
} as const;

const error = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { enum: Object.values(errorCodes) },
    message: { type: 'string' },
    data: { type: 'object', properties: { note: { type: 'string', description: 'how to fix the problem' } } },
  },
};

/** Returns the JSON Schema (2020-12) of requests to the service; responses are defined under `$defs`. */
export function serviceSchema(): Json {
  const { requests, defs } = definitions('#/$defs/');
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    oneOf: [{ $ref: '#/$defs/request' }, { type: 'array', minItems: 1, items: { $ref: '#/$defs/request' } }],
    $defs: { request: { oneOf: requests }, ...defs },
  };
}

/** Returns the OpenAPI 3.1 document of the service over HTTP. */
export function openApi(packageVersion: string): Json {
  const { requests, defs } = definitions('#/components/schemas/');
  const call = rpcOperation();
  const session = { name: 'session', in: 'path', required: true, schema: { type: 'string' } };
  const get = (summary: string, type: string) => ({
    get: { summary, responses: { 200: { description: summary, content: { [type]: {} } } } },
  });
  return {
    openapi: '3.1.0',
    info: { title: 'elbowroom-service/1', version: packageVersion },
    paths: {
      '/rpc': {
        post: { summary: 'JSON-RPC 2.0 requests about the scene as loaded', ...call },
        get: {
          summary: 'upgrades to a WebSocket, which is a session; one message per text or binary frame',
          responses: { 101: { description: 'upgraded' } },
        },
      },
      '/sessions': {
        post: {
          summary: 'opens a session, whose scene can be changed',
          responses: {
            201: {
              description: 'opened',
              ...json({ type: 'object', required: ['session'], properties: { session: { type: 'string' } } }),
            },
          },
        },
      },
      '/sessions/{session}': {
        delete: { summary: 'ends a session', parameters: [session], responses: { 204: { description: 'ended' } } },
      },
      '/sessions/{session}/rpc': {
        post: { summary: 'JSON-RPC 2.0 requests about the scene of a session', parameters: [session], ...call },
      },
      '/healthz': get('health check', 'application/json'),
      '/metrics': get('metrics in the Prometheus text format', 'text/plain'),
      '/openapi.json': get('this document', 'application/json'),
    },
    components: {
      schemas: { request: { oneOf: requests }, ...defs },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  };
}

const json = (schema: Json) => ({ content: { 'application/json': { schema } } });

/** Returns the body and the responses of a POST of JSON-RPC requests. */
function rpcOperation(): Json {
  const frames = { 'application/octet-stream': {} };
  const one = { $ref: '#/components/schemas/request' };
  const answer = { $ref: '#/components/schemas/response' };
  return {
    requestBody: {
      required: true,
      content: { ...json({ oneOf: [one, { type: 'array', minItems: 1, items: one }] }).content, ...frames },
    },
    responses: {
      200: {
        description: 'response, or a list of responses; a binary frame to a binary frame',
        content: { ...json({ oneOf: [answer, { type: 'array', items: answer }] }).content, ...frames },
      },
      204: { description: 'only notifications, which have no response' },
      401: { description: 'token missing or wrong' },
      413: { description: 'body too large' },
      415: { description: 'body is neither application/json nor application/octet-stream (a binary frame)' },
      503: { description: 'the memory budget is exhausted' },
    },
  };
}

/** Returns a request schema per method, and the definitions that they refer to. */
function definitions(base: string): { requests: Json[]; defs: Record<string, Json> } {
  const requests: Json[] = [];
  const results: Json[] = [];
  const defs: Record<string, Json> = {};
  for (const [method, { summary, params, result }] of Object.entries(serviceMessages)) {
    defs[`${method}.params`] = plain(params, 'input');
    defs[`${method}.result`] = plain(result, 'output');
    results.push({ $ref: `${base}${method}.result` });
    requests.push({
      title: method,
      description: summary,
      type: 'object',
      required: ['jsonrpc', 'method'],
      properties: { jsonrpc: version, id, method: { const: method }, params: { $ref: `${base}${method}.params` } },
      additionalProperties: false,
    });
  }
  Object.assign(defs, frameDefinitions(base));
  defs['error'] = error;
  defs['response'] = {
    type: 'object',
    required: ['jsonrpc', 'id'],
    properties: { jsonrpc: version, id, result: { anyOf: results }, error: { $ref: `${base}error` } },
  };
  return { requests, defs };
}

/** Returns schemas of the JSON headers of binary frames, whose format docs/serve.md describes. */
function frameDefinitions(base: string): Record<string, Json> {
  const object = (required: readonly string[], properties: Json) => ({
    type: 'object',
    required,
    properties: { jsonrpc: version, id, ...properties },
  });
  const shape = (dimensions: readonly (number | string)[], about: string) => ({
    type: 'array',
    prefixItems: dimensions.map((size) =>
      typeof size === 'number' ? { const: size } : { type: 'integer', minimum: 0 },
    ),
    minItems: dimensions.length,
    maxItems: dimensions.length,
    description: `shape [${dimensions.join(', ')}] of little-endian float64 numbers in the payload: ${about}`,
  });
  const defs: Record<string, Json> = {};
  for (const [method, { params, array, result, arrays }] of Object.entries(frameMessages)) {
    const request = { [array.name]: shape(array.shape, array.about) };
    const shapes = Object.entries(arrays).map(([name, { shape: size, about }]) => [name, shape(size, about)]);
    defs[`frame.${method}.request`] = {
      ...object(['jsonrpc', 'method', 'arrays'], {
        method: { const: method },
        params: plain(params, 'input'),
        arrays: { type: 'object', required: [array.name], properties: request, additionalProperties: false },
      }),
      additionalProperties: false,
    };
    defs[`frame.${method}.response`] = object(['jsonrpc', 'id'], {
      result: plain(result, 'output'),
      arrays: { type: 'object', properties: Object.fromEntries(shapes) },
      error: { $ref: `${base}error` },
    });
  }
  return defs;
}

/** Returns the JSON Schema of the parameters of a method. */
export const paramsSchema = (method: MethodName): Json => plain(serviceMessages[method].params, 'input');

function plain(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io }) as Record<string, unknown>;
  return rest;
}
