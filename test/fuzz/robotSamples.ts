import { type Samples, texts } from './encode.ts';

/** Three links, a joint that follows another: what the other samples speak of. */
export const robotText = `<?xml version="1.0"?>
<robot name="r"><link name="a"><collision><origin xyz="0 0 1" rpy="0 0 1"/><geometry><cylinder radius="1" length="2"/></geometry></collision></link>
<link name="b"><visual/><inertial><mass value="1"/></inertial></link><link name="c"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="2" effort="3"/></joint>
<joint name="k" type="prismatic"><parent link="b"/><child link="c"/><mimic joint="j" multiplier="2"/><limit lower="0" upper="1"/></joint></robot>`;
/** Every kind of body, a mesh among them. */
const bodies = `<robot name="r"><link name="a"><collision><geometry><box size="1 2 3"/></geometry></collision><collision><origin rpy="0 1 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="b"><collision><geometry><mesh filename="package://p/m.stl" scale="1 -1 0.001"/></geometry></collision><collision><geometry><capsule radius="1" length="2"/></geometry></collision></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><origin xyz="1 0 0"/><safety_controller soft_lower_limit="-1" soft_upper_limit="1" k_velocity="3"/></joint></robot>`;
/** A chain of followers below a fixed joint. */
const followers = `<robot name="r"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
<joint name="f" type="fixed"><parent link="a"/><child link="b"/><axis xyz="0 0 0"/></joint>
<joint name="j" type="revolute"><parent link="b"/><child link="c"/><mimic joint="k" multiplier="-1" offset="0.5"/></joint>
<joint name="k" type="prismatic"><parent link="c"/><child link="d"/><axis xyz="1 1 0"/><limit upper="1" velocity="0"/></joint></robot>`;

const pairs = `<robot name="r"><group name="g"><chain base_link="a" tip_link="c"/><group name="h"/></group><group name="h"><joint name="j"/></group>
<group_state name="up" group="g"><joint name="j" value="1.5"/></group_state><disable_collisions link1="a" link2="b" reason="Adjacent"/></robot>`;
const semantics = `<robot name="r"><virtual_joint name="w" type="fixed" parent_frame="world" child_link="a"/><group name="g"><link name="b"/><joint name="w"/></group>
<end_effector name="e" parent_link="c" group="h" parent_group="g"/><passive_joint name="k"/><group_state name="up" group="g"><joint name="j" value="-0.5"/><joint name="x" value="0"/></group_state></robot>`;

/** Of the readers of robots and what is said about them, by their names. */
export const robotSamples: Readonly<Record<string, Samples>> = {
  urdf: texts(robotText, bodies, followers),
  srdf: texts(pairs, semantics),
};
