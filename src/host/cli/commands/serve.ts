import { checkers } from '../../../core/narrowphase/index.ts';
import { InputError } from '../../../errors.ts';
import { packageVersion } from '../../node/packageVersion.ts';
import { listenOnHttp } from '../../service/http.ts';
import { LineClient } from '../../service/lineClient.ts';
import { Service } from '../../service/service.ts';
import { serviceLimits } from '../../service/serviceLimits.ts';
import { GRACE_MS, type Listening, listenOnSocket } from '../../service/socket.ts';
import { defineCommand, type Values } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { choice, flag, integer, optionalInteger, quantity, text } from '../options.ts';
import { loadModel } from '../sceneMotion.ts';
import { sceneOperand } from '../sceneOperand.ts';

const MIB = 1024 * 1024;

const options = {
  stdio: flag('read requests from stdin and write responses to stdout, one per line, until stdin ends'),
  socket: text('PATH', 'Unix socket that only the current user can open, one message per line'),
  port: optionalInteger('no HTTP', 'port of HTTP and WebSockets; 0: any free port', { min: 0, max: 65_535 }),
  host: text('HOST', 'address of --port; other than loopback only with a token (default: 127.0.0.1)'),
  token: text(
    'TEXT',
    'token that HTTP and WebSocket clients must send as Authorization: Bearer TEXT (default: $ELBOWROOM_TOKEN)',
  ),
  checker: choice(checkers, 'growth-distance', 'narrow-phase algorithm'),
  jobs: optionalInteger('one per core', 'number of threads for plan, check, verify, repair and recertify', {
    min: 1,
    max: 256,
  }),
  warm: flag('before the first request: plans of the query on each thread and proposals to a gate, to compile code'),
  sessions: integer(serviceLimits.sessions, 'maximum number of concurrent sessions', { min: 1, max: 100_000 }),
  body: quantity(serviceLimits.body / MIB, 'MiB', 'maximum size of a message', { min: 0.001, max: 512 }),
  memory: quantity(
    serviceLimits.memory / MIB,
    'MiB',
    'memory budget for requests and responses; four times as much for added objects',
    {
      min: 1,
      max: 65_536,
    },
  ),
  timeLimit: quantity(serviceLimits.time, 's', 'time limit from request to response', { min: 0, exclusive: true }),
  idle: quantity(
    serviceLimits.idle,
    's',
    'timeout of a client that stops in the middle of a message or does not read its response',
    {
      min: 0,
      exclusive: true,
    },
  ),
};

export const serve = defineCommand({
  summary: 'service for other programs: validity, planning, checking and watching of motions, over a socket or HTTP',
  operands: [sceneOperand],
  options,
  details: `JSON-RPC 2.0: one message per line on stdio and the Unix socket, POST /rpc over HTTP, GET /rpc for
WebSockets.
Methods: describe; validate {q | states, t}; validate_motion {from, to | motions}; clearance {q | states, gradient, t};
fk {q | states, links};
ik {pose, link}; dynamics {q, v, a | states}; query {pairs, solver, what}; scene.move, scene.add, scene.remove, scene.attach, scene.detach, scene.reset, which change the scene of
their session only. On threads: plan {start, goal | steps, ...}; check, repair {trajectory}; verify, recertify
{trajectory, certificate}; watch {trajectory}, watch.advance, watch.end: how far a motion in execution is still proved
after each change of the scene; gate.open, gate.propose {gate, now, points}, gate.tick, gate.state, gate.close: judge
proposed motions while the robot moves. $/progress reports, and $/cancelRequest {id} ends, what runs on threads. See
docs/serve.md. Each is a session; over HTTP, POST /sessions opens one. Many states in one message, or a batch of
requests, have a much higher throughput than single requests.
HTTP also serves /healthz, /metrics (Prometheus) and /openapi.json; \`elbowroom schema service\` prints the schema of
the messages.
On Ctrl-C or SIGTERM, pending requests are finished and the socket is removed. Exit code 130 after Ctrl-C, 0 after
SIGTERM or the end of stdin.`,
  examples: [
    ['elbowroom serve scenes/shelf.yaml --socket /tmp/shelf.sock', 'for planners on this machine'],
    ['elbowroom serve scenes/shelf.yaml --stdio < requests.jsonl > responses.jsonl', 'a file of requests'],
    ['elbowroom serve scenes/shelf.yaml --port 8731', 'HTTP and WebSockets on this machine'],
  ],

  async run(io, [path], given) {
    const { stdio, socket, port } = given;
    if (!stdio && socket === undefined && port === undefined)
      throw new InputError('serve: no transport is given', 'Give --stdio, --socket PATH or --port N.');
    const { scene, model, warnings } = await loadModel(path!);
    io.warn(warnings);
    const limits = limitsOf(given);
    const { checker, jobs } = given;
    const threads = jobs === undefined ? {} : { jobs };
    const service = new Service({ robot: model, scene, version: packageVersion(), checker, ...threads, limits });

    const stopping = new Promise<ExitCode>((resolve) =>
      io.onStop((signal) => resolve(signal === 'SIGINT' ? ExitCode.Interrupted : ExitCode.Ok)),
    );
    const listening: Listening[] = [];
    try {
      if (given.warm) await warmUp(service, io);
      if (socket !== undefined) listening.push(await listenOnSocket(service, socket));
      if (port !== undefined) listening.push(await listenOnHttp(service, { ...addressOf(given), port }));
      for (const { address } of listening) io.say(`serving ${scene.name} on ${address}`);
      if (port !== undefined && addressOf(given).token === undefined)
        io.say(
          'without --token, pages of http://localhost and http://127.0.0.1 of any port may connect by WebSocket; ' +
            'HTTP is for programs, since no CORS headers are sent',
        );
      const console = stdio
        ? new LineClient(service, process.stdin, process.stdout, service.openSession()!)
        : undefined;
      const ended = console?.serve().then(() => ExitCode.Ok);
      const code = await (ended && listening.length === 0 ? Promise.race([ended, stopping]) : stopping);
      console?.stop();
      const late = setTimeout(() => service.close(), GRACE_MS); // cancels what runs on threads
      await ended;
      clearTimeout(late);
      return code;
    } finally {
      await Promise.all(listening.map(({ stop }) => stop()));
      await service.close();
    }
  },
});

async function warmUp(service: Service, io: Io): Promise<void> {
  const began = performance.now();
  const { plans, proposals } = await service.warm();
  if (plans === 0) io.warn(['--warm: the scene has no start and goal, so nothing is planned']);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (plans + proposals > 0) io.say(`warmed up by ${plans} plans and ${proposals} proposals to a gate in ${seconds} s`);
}

function limitsOf({ sessions, body, memory, timeLimit, idle }: Values<typeof options>) {
  const bytes = (mebibytes: number) => Math.round(mebibytes * MIB);
  if (memory < body)
    throw new InputError(
      `--memory ${memory} is less than --body ${body}`,
      'The memory budget must hold the largest message.',
    );
  return { sessions, body: bytes(body), memory: bytes(memory), time: timeLimit, idle };
}

function addressOf({ host = '127.0.0.1', token = process.env['ELBOWROOM_TOKEN'] }: Values<typeof options>) {
  return { host, token: token === '' ? undefined : token };
}
