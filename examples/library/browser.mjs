// Runs in a browser: text in, trajectory out; imports nothing of Node.
import { buildRobot, buildScene, planMotion, readSceneFile, readUrdf } from 'elbowroom';

const urdf = `<robot name="planar">
  <link name="base"><collision><geometry><sphere radius="0.05"/></geometry></collision></link>
  <link name="upper"><collision><origin xyz="0.25 0 0"/><geometry><box size="0.4 0.05 0.05"/></geometry></collision></link>
  <link name="fore"><collision><origin xyz="0.25 0 0"/><geometry><box size="0.4 0.05 0.05"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" velocity="2" effort="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="fore"/><origin xyz="0.5 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" velocity="2" effort="1"/></joint>
</robot>`;
const text = `format: elbowroom-scene/1
robot: planar
start: [-1, 0]
goal: [1, 0]
allow: [[base, upper], [upper, fore]]
obstacles: [{name: post, type: cylinder, radius: 0.05, length: 1, pose: {xyz: [0.8, 0, 0]}}]`;

export async function run() {
  const robot = await buildRobot(await readUrdf(urdf, 'planar.urdf'), new Map());
  const draft = (await readSceneFile(text, 'post.yaml')).problems[0];
  await draft.check(robot);
  const { status, stats } = planMotion({ scene: await buildScene(draft, {}), robot }, { seed: 1 });
  return `${status}: ${stats.path_length.toFixed(3)} rad`;
}

console.log(await run());
