import { InputError } from '../../errors.ts';
import { checkers } from '../../narrowphase/index.ts';
import { loadScene } from '../../node/files.ts';
import { packageVersion } from '../../node/packageVersion.ts';
import { listenOnHttp } from '../../service/http.ts';
import { LineClient } from '../../service/lineClient.ts';
import { Service } from '../../service/service.ts';
import { serviceLimits } from '../../service/serviceLimits.ts';
import { type Listening, listenOnSocket } from '../../service/socket.ts';
import { createSceneRobot } from '../../tasks/sceneRobot.ts';
import { defineCommand, type Values } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { choice, flag, integer, optionalInteger, quantity, text } from '../options.ts';
import { sceneOperand } from '../sceneOperand.ts';

const MIB = 1024 * 1024;

const options = {
  stdio: flag('answer lines of stdin on stdout, until stdin ends'),
  socket: text('PATH', 'answer lines on a Unix socket, which only you can open'),
  port: optionalInteger('no HTTP', 'HTTP and WebSockets on this port; 0: any that is free', { least: 0, most: 65_535 }),
  host: text('HOST', 'where --port listens; others than this machine only with a token (default: 127.0.0.1)'),
  token: text('TEXT', 'asked of HTTP and WebSockets as Authorization: Bearer TEXT (default: $ELBOWROOM_TOKEN)'),
  checker: choice(checkers, 'growth-distance', 'narrow phase'),
  sessions: integer(serviceLimits.sessions, 'clients at a time', { least: 1, most: 100_000 }),
  body: quantity(serviceLimits.body / MIB, 'MiB', 'largest message', { least: 0.001, most: 512 }),
  memory: quantity(serviceLimits.memory / MIB, 'MiB', 'kept for messages, answers and added bodies of all clients', {
    least: 1,
    most: 65_536,
  }),
  timeLimit: quantity(serviceLimits.time, 's', 'from a message to its answer', { least: 0, above: true }),
  idle: quantity(
    serviceLimits.idle,
    's',
    'a client that stops in mid-message, or does not fetch its answer, is let go',
    {
      least: 0,
      above: true,
    },
  ),
};

export const serve = defineCommand({
  summary: 'state and motion validity for other planners, over a socket',
  operands: [sceneOperand],
  options,
  details: `JSON-RPC 2.0; on stdio and the Unix socket a message a line, over HTTP POST /rpc, over WebSockets GET /rpc.
Methods: describe; validate {q | states}; validate_motion {from, to | motions}; clearance {q | states, gradient}; fk {q | states, links};
scene.move, scene.add, scene.remove, scene.attach, scene.detach, scene.reset, which change the scene of their session alone: a
connection is one, over HTTP POST /sessions opens one. Many states in one message, or an array of requests, are many times as quick as
one by one.
HTTP also has /healthz, /metrics (Prometheus) and /openapi.json; \`elbowroom schema service\` prints the schema of the messages.
Ctrl-C or SIGTERM: what is under way is finished, the socket removed. Exit code 130 after Ctrl-C, 0 after SIGTERM or the end of stdin.`,
  examples: [
    ['elbowroom serve scenes/shelf.yaml --socket /tmp/shelf.sock', 'for planners on this machine'],
    ['elbowroom serve scenes/shelf.yaml --stdio < questions.jsonl > answers.jsonl', 'a list of messages'],
    ['elbowroom serve scenes/shelf.yaml --port 8731', 'HTTP and WebSockets, for this machine'],
  ],

  async run(io, [path], given) {
    const { stdio, socket, port } = given;
    if (!stdio && socket === undefined && port === undefined)
      throw new InputError('serve: nobody could ask', 'Give --stdio, --socket PATH or --port N.');
    const { scene, robot, warnings } = await loadScene(path!);
    io.warn(warnings);
    const model = createSceneRobot({ scene, robot });
    const limits = limitsOf(given);
    const service = new Service({ robot: model, scene, version: packageVersion(), checker: given.checker, limits });

    const stopping = new Promise<ExitCode>((resolve) =>
      io.onStop((signal) => resolve(signal === 'SIGINT' ? ExitCode.Interrupted : ExitCode.Ok)),
    );
    const listening: Listening[] = [];
    try {
      if (socket !== undefined) listening.push(await listenOnSocket(service, socket));
      if (port !== undefined) listening.push(await listenOnHttp(service, { ...addressOf(given), port }));
      for (const { address } of listening) io.say(`serving ${scene.name} on ${address}`);
      const console = stdio
        ? new LineClient(service, process.stdin, process.stdout, service.openSession()!)
        : undefined;
      const ended = console?.serve().then(() => ExitCode.Ok);
      const code = await (ended && listening.length === 0 ? Promise.race([ended, stopping]) : stopping);
      console?.stop();
      await ended;
      return code;
    } finally {
      await Promise.all(listening.map(({ stop }) => stop()));
    }
  },
});

function limitsOf({ sessions, body, memory, timeLimit, idle }: Values<typeof options>) {
  const bytes = (mebibytes: number) => Math.round(mebibytes * MIB);
  if (memory < body)
    throw new InputError(`--memory ${memory} is less than --body ${body}`, 'No message could be so large.');
  return { sessions, body: bytes(body), memory: bytes(memory), time: timeLimit, idle };
}

function addressOf({ host = '127.0.0.1', token = process.env['ELBOWROOM_TOKEN'] }: Values<typeof options>) {
  return { host, token: token === '' ? undefined : token };
}
