import { createSceneRobot } from '../../../tasks/sceneRobot.ts';
import { loadScene } from '../../node/files.ts';
import { packageVersion } from '../../node/packageVersion.ts';
import { serveMcp } from '../../service/mcp/stdioServer.ts';
import { Service } from '../../service/service.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { integer } from '../options.ts';
import { sceneOperand } from '../sceneOperand.ts';

export const mcp = defineCommand({
  summary: 'Model Context Protocol: planning, checking and repair as tools of language agents, over stdio',
  operands: [sceneOperand],
  options: {
    jobs: integer(1, 'number of threads for planning and checking', { min: 1, max: 256 }),
  },
  details: `Tools: plan, check, repair, ik, describe, validate: the methods of serve, with the same parameters. Each result is
described in words (pair, time, and a valid state near an invalid one), followed by its JSON. Needs the package
@modelcontextprotocol/sdk. Exit code 130 after Ctrl-C, 0 after SIGTERM or the end of stdin.`,
  examples: [['elbowroom mcp scenes/table-top.yaml', 'started by an agent, which writes to stdin']],

  async run(io, [path], { jobs }) {
    const { scene, robot, warnings } = await loadScene(path!);
    io.warn(warnings);
    const model = createSceneRobot({ scene, robot });
    const service = new Service({ robot: model, scene, version: packageVersion(), jobs });
    let code: ExitCode = ExitCode.Ok;
    const stopped = new Promise<void>((resolve) =>
      io.onStop((signal) => {
        if (signal === 'SIGINT') code = ExitCode.Interrupted;
        resolve();
      }),
    );
    try {
      await serveMcp(service, stopped);
      return code;
    } finally {
      await service.close();
    }
  },
});
