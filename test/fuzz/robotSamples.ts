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

const xacro = `<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="n" default="3"/>
<xacro:include filename="/parts/part.xacro"/><xacro:include filename="/parts/part.xacro" ns="s"/><xacro:include filename="none.xacro" optional="true"/>
<xacro:property name="d" value="\${xacro.load_yaml('/parts/d.yaml')}"/><xacro:property name="l" value="\${[2 * v for v in d.list] + list(map(str, range(2)))}"/>
<xacro:property name="b"><origin xyz="0 0 \${l[1] / 3}"/></xacro:property><link name="a"/>
<xacro:macro name="next" params="i n:=$(arg n) size:=^|'0.1' *where **more"><link name="l\${i}"><collision><geometry><box size="\${size} 1 \${'%.2f' % (i ** 2 + 1)}"/></geometry></collision></link>
<joint name="j\${i}" type="revolute"><parent link="\${'a' if i == 1 else 'l' + str(i - 1)}"/><child link="l\${i}"/><xacro:insert_block name="where"/><xacro:insert_block name="more"/>
<limit lower="\${-d['upper']}" upper="\${max(d.upper, 1)}" velocity="1" effort="1"/></joint>
<xacro:if value="\${i &lt; int(n) and not False}"><xacro:next i="\${i+1}" n="\${n}"><xacro:insert_block name="where"/><m/></xacro:next></xacro:if></xacro:macro>
<xacro:next i="1"><origin xyz="\${pi} 0 \${height}"/><m><axis xyz="0 \${cos(0)} 0"/></m></xacro:next></robot>`;
const dynamic = `<robot name="r" xmlns:xacro="x"><xacro:property name="k" value="f" scope="global"/><xacro:property name="t" value="$(eval 2 * 3)" lazy_eval="false"/>
<xacro:macro name="f" params="x:='a b' y"><link name="\${x[::-1].strip().replace('a', 'c')}"/><xacro:property name="r" value="\${y}" scope="parent"/></xacro:macro>
<xacro:call macro="\${k}" y="$(env SIDE)"/><xacro:element xacro:name="link" name="\${r}_$(optenv NO 1)"><xacro:attribute name="id" value="$$\${x}"/></xacro:element>
<joint name="j" type="fixed"><parent link="b c"/><child link="left_1"/></joint><xacro:unless value="\${len([k for k in dict(a=1, b=(2, 3)).items() if k[0] in 'ab']) != 2}"><gazebo>\${t}</gazebo></xacro:unless>
<xacro:property name="t" remove="true"/><xacro:property name="u" default="\${sorted([3, 1], key=lambda v: -v)[0]}"/></robot>`;
/** Frames that refer to each other, nested and included models, every kind of shape and joint of SDF. */
const sdfFrames = `<sdf version="1.9"><model name="m" canonical_link="a"><frame name="f" attached_to="a"><pose degrees="true">0 0 1 0 0 90</pose></frame>
<link name="a"><inertial><mass>1</mass></inertial><collision name="c"><pose relative_to="f">1 0 0 0 0 0</pose><geometry><box><size>1 2 3</size></box></geometry></collision></link>
<link name="b"><pose relative_to="f" rotation_format="quat_xyzw">0 1 0 0 0 0.6 0.8</pose><collision name="c"><geometry><mesh><uri>model://m/a.stl</uri><scale>1 1 -1</scale></mesh></geometry></collision></link>
<joint name="j" type="revolute"><pose relative_to="f"/><parent>a</parent><child>b</child><axis><xyz expressed_in="__model__">0 1 0</xyz><limit><lower>-1</lower><upper>2</upper><velocity>3</velocity></limit></axis></joint>
<model name="n" placement_frame="p"><pose relative_to="b">0 0 1 0 0 0</pose><link name="p"><visual name="v"/></link><link name="q"/><joint name="k" type="prismatic"><parent>p</parent><child>q</child><axis><xyz>1 0 0</xyz><limit><lower>0</lower><upper>inf</upper></limit><mimic joint="l"><multiplier>2</multiplier><offset>0.1</offset><reference>1</reference></mimic></axis></joint>
<link name="r"/><joint name="l" type="continuous"><parent>q</parent><child>r</child><axis><xyz>0 0 1</xyz></axis></joint></model>
<include><uri>model://part</uri><name>i</name><pose relative_to="n::q">1 1 1 0 0 0</pose></include>
<joint name="h" type="fixed"><parent>b</parent><child>n::p</child></joint><joint name="w" type="fixed"><parent>world</parent><child>a</child></joint></model></sdf>`;
const sdfOld = `<?xml version="1.0"?><sdf version="1.4"><world name="w"><model name="m"><pose>1 1 1 0 0 0</pose><static>true</static>
<link name="a"><collision name="c"><geometry><cylinder><radius>1</radius><length>2</length></cylinder></geometry></collision><collision name="d"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link>
<link name="b"><pose>0 0 1 0 0 1.5</pose><collision name="c"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision><collision name="e"><geometry><ellipsoid><radii>1 2 3</radii></ellipsoid></geometry></collision></link>
<joint name="j" type="revolute"><pose>0.1 0 0 0 0 0</pose><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz><use_parent_model_frame>1</use_parent_model_frame><limit><lower>-1e16</lower><upper>1e16</upper></limit></axis></joint></model></world></sdf>`;

/** Defaults and classes, frames, several joints of a body, equalities, key frames, meshes. */
const mjcfArm = `<mujoco model="m"><compiler eulerseq="XYz" meshdir="m" autolimits="true"/><option timestep="0.1"/>
<default><joint axis="0 1 0" range="-90 90"/><geom type="capsule" size="0.05 0.1"/><default class="s"><geom type="box" size="1 2 3" euler="1 2 3"/><mesh scale="1 2 3"/></default></default>
<asset><mesh file="a.stl" class="s"/><mesh name="t" vertex="0 0 0 1 0 0 0 1 0 0 0 1" refpos="1 0 0" refquat="1 0 0 1"/></asset>
<worldbody><geom type="plane" size="0 0 1"/><body name="a" pos="0 0 1" quat="1 0 0 1" childclass="s"><inertial mass="1" pos="0 0 0"/><joint name="j"/><geom/><geom type="mesh" mesh="a"/>
<frame pos="1 0 0" axisangle="0 0 1 30"><body name="b" xyaxes="0 1 0 -1 0 0"><joint name="k" pos="0 0.1 0" ref="10"/><joint name="l" type="slide" range="0 1" axis="0 0 2"/><geom class="main" fromto="0 0 0 1 0 0"/><geom type="mesh" mesh="t"/><site/></body></frame>
<body name="c" zaxis="1 1 0"><joint name="i" limited="false"/><geom type="ellipsoid" size="1 2 3" contype="0" conaffinity="0"/></body></body></worldbody>
<contact><exclude body1="a" body2="c"/></contact><equality><joint joint1="l" joint2="k" polycoef="0.1 2 0 0 0"/></equality><keyframe><key name="home" qpos="0 0 0 1"/></keyframe></mujoco>`;
const mjcfLimb = `<mujoco><compiler angle="radian"/><worldbody><body name="x"><joint type="hinge" limited="true" range="-1 1"/><geom type="sphere" size="0.1"/><include file="limb.xml"/></body></worldbody></mujoco>`;

/** Of the readers of robots and what is said about them, by their names. */
export const robotSamples: Readonly<Record<string, Samples>> = {
  urdf: texts(robotText, bodies, followers),
  srdf: texts(pairs, semantics),
  xacro: texts(xacro, dynamic),
  sdf: texts(sdfFrames, sdfOld),
  mjcf: texts(mjcfArm, mjcfLimb),
};
