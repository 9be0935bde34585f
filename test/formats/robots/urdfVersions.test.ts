import { describe, expect, test } from 'vitest';
import { readUrdf } from '../../../src/formats/robots/urdf.ts';
import { collision, joint, limit } from './robotTexts.ts';

const text = (version: string, origin: string, more = limit) =>
  `<robot name="r" ${version}><link name="a">${collision('<capsule radius="0.1" length="0.5"/>', origin)}</link>
<link name="b"/>
${joint('j', 'a', 'b', `${origin}${more}`)}</robot>`;
const refusal = async (urdf: string) =>
  readUrdf(urdf, 'r.urdf').then(
    () => 'read',
    (error: unknown) => (error as Error).message,
  );

describe('URDF 1.1 and 1.2, as ROS 2 has them', () => {
  // The description of the release notes of ROS 2 Lyrical: a quarter turn about y, with seven digits.
  const turned = '<origin xyz="0 0 0.5" quat_xyzw="0 0.7071068 0 0.7071068"/>';

  test('an origin may state a quaternion, which is normalized', async () => {
    const { tree, links } = await readUrdf(text('version="1.1"', turned), 'r.urdf');
    for (const { xyz, quat_wxyz } of [tree.joints[0].origin, links[0].collisions[0].pose]) {
      expect(xyz).toEqual([0, 0, 0.5]);
      expect(quat_wxyz).toEqual([Math.SQRT1_2, 0, Math.SQRT1_2, 0].map((part) => expect.closeTo(part, 15)));
    }
  });

  test.each([
    ['in version 1.0', text('', turned), /r.urdf:1: link "a": quat_xyzw of <origin> has a meaning from version 1.1/],
    ['beside rpy', text('version="1.1"', '<origin rpy="0 0 0" quat_xyzw="0 0 0 1"/>'), /both rpy and quat_xyzw/],
    ['of another length', text('version="1.1"', '<origin quat_xyzw="0 0 1 1"/>'), /has length 1.414.*it must be 1/],
    ['of length 0', text('version="1.2"', '<origin quat_xyzw="0 0 0 0"/>'), /has length 0, it must be 1/],
    ['of three numbers', text('version="1.1"', '<origin quat_xyzw="0 0 1"/>'), /has 3 numbers/],
  ])('a quaternion %s is refused', async (_, urdf, message) => {
    expect(await refusal(urdf)).toMatch(message);
  });

  test('an unknown version is refused', async () => {
    expect(await refusal(text('version="2.0"', ''))).toMatch(/version "2.0" of URDF is not supported/);
  });

  test.each(['', 'calib_', 'calib_1, calib_2', 'calib_1 ', 'true'])('the calibration %j is refused', async (hash) => {
    expect((await readUrdf(text('calibration="calib_1"', ''), 'r.urdf')).calibration).toBe('calib_1');
    const given = text(`calibration="${hash}"`, '');
    expect(await refusal(given)).toBe(
      `r.urdf:1: robot: calibration is ${JSON.stringify(hash)}, must be calib_ and digits`,
    );
  });

  test('of acceleration and deceleration the stricter one holds', async () => {
    const rates = async (attributes: string) => {
      const limits = `<limit lower="-1" upper="1" velocity="2" effort="1" ${attributes}/>`;
      return (await readUrdf(text('version="1.2"', '', limits), 'r.urdf')).tree.joints[0].acceleration;
    };
    expect(await rates('acceleration="10.0" deceleration="5.0" jerk="50.0"')).toBe(5);
    expect(await rates('acceleration="3" deceleration="5"')).toBe(3);
    expect(await rates('deceleration="5"')).toBe(5);
    expect(await rates('acceleration="5" deceleration="-3"')).toBe(5); // not stated
    for (const zero of ['acceleration="0" deceleration="5"', 'acceleration="5" deceleration="0"', 'deceleration="0"'])
      expect(await rates(zero)).toBe(0); // refused if the joint is planned
  });

  test('warnings name a deceleration of 0, and one that is negative', async () => {
    const warnings = async (value: number) => {
      const limits = `<limit lower="-1" upper="1" velocity="2" effort="1" deceleration="${value}"/>`;
      return (await readUrdf(text('version="1.2"', '', limits), 'r.urdf')).warnings.join();
    };
    expect(await warnings(0)).toMatch(/its deceleration limit is 0: .*limits: \{j: \{acceleration: …\}\}/);
    expect(await warnings(-1)).toMatch(/its deceleration limit is -1, which is negative: taken as not stated/);
    expect(await warnings(1)).toBe('');
  });
});

describe('attributes that would be ignored, and with them a pose or a size', () => {
  test.each([
    ['<origin xyz="0 0 1" wxyz="0 1 0 0"/>', 'unknown attribute "wxyz" of <origin>'],
    ['<origin position="0 0 1"/>', 'unknown attribute "position" of <origin>'],
    ['<origin xzy="0 0 1"/>', 'unknown attribute "xzy" of <origin>'],
  ])('%s is refused, in a joint and in a collision', async (origin, message) => {
    const answer = await refusal(text('', origin));
    expect(answer.match(new RegExp(message, 'g'))).toHaveLength(2);
  });

  test('misspelled attributes of a shape, an axis and a mimic are refused', async () => {
    const link = `<link name="a">${collision('<mesh filename="a.stl" scal="0.001 0.001 0.001"/>')}</link><link name="b"/>`;
    const inside = `<axis xyz="0 0 1" xzy="1 0 0"/><mimic joint="j" multiplyer="2"/>${limit}`;
    const answer = await refusal(`<robot name="r">${link}${joint('j', 'a', 'b', inside)}</robot>`);
    expect(answer).toMatch(/"scal" of <mesh>[\s\S]*"xzy" of <axis>[\s\S]*"multiplyer" of <mimic>/);
  });

  test('others are ignored: an axis with rpy, an unused geometry, prefixes', async () => {
    const inside = `<axis rpy="0 0 0" xyz="0 1 0" drake:x="1"/>${limit}`;
    const visual = '<visual><origin wxyz="1 0 0 0"/><geometry><sphere radius="1"/></geometry></visual>';
    const urdf = `<robot name="r"><link name="a">${visual}</link><link name="b"/>${joint('j', 'a', 'b', inside)}</robot>`;
    expect(await refusal(urdf)).toBe('read');
    await expect(readUrdf(urdf, 'r.urdf', 'visual')).rejects.toThrow(/unknown attribute "wxyz"/);
  });
});

test('undeclared prefixes below <gazebo> are accepted, xacro is not', async () => {
  const parts = '<link name="a"/><gazebo reference="a"><sensor:camera name="rgb"/></gazebo>';
  expect(await refusal(`<robot name="r">${parts}</robot>`)).toBe('read');
  expect(await refusal(`<robot name="r">${parts}<xacro:arm/></robot>`)).toMatch(/<xacro:arm>: this is xacro/);
});
