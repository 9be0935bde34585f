#!/usr/bin/env python3
"""Sends a program to a controller of ROS 2: one goal per interval between events, each after the events before it.

    elbowroom plan job.yaml --format ros-goal -o goals
    python3 send_program.py goals --action /joint_trajectory_controller/follow_joint_trajectory

Each event of the tool is printed, and the next goal is sent once Enter is pressed: replace `on_event` by what the
tool does.
`--print` prints the order of goals and events; it needs no ROS.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import yaml


def steps_of(folder: Path) -> list[dict[str, Any]]:
    """The goals (`{"goal": message}`) and events (`{"event": …}`) of a folder, in the order of execution."""
    record = json.loads((folder / "goals.json").read_text("utf-8"))
    if record.get("format") != "elbowroom-goals/1":
        raise SystemExit(f"{folder}: goals.json is not of the format elbowroom-goals/1")

    if record.get("signals"):
        print(f"{folder}: {len(record['signals'])} signals of tool paths are not sent: set them by their times", file=sys.stderr)

    def read(name: str) -> Any:
        return yaml.safe_load((folder / name).read_text("utf-8"))

    return [{"goal": read(step["goal"])} if "goal" in step else step for step in record["order"]]


def on_event(event: dict[str, Any]) -> None:
    """Carries out an event, such as {"step": 3, "time": 2.1, "set": {"gripper": "close"}}. Must not move the arm."""
    if "allow" in event or "forbid" in event:
        return  # only what may touch changes
    input(f"{json.dumps(event)}: press Enter when it is done ")


def send(steps: list[dict[str, Any]], action: str) -> int:
    """Sends the goals; returns 1 after the first one that is not reached, otherwise 0."""
    import rclpy
    from control_msgs.action import FollowJointTrajectory
    from rclpy.action import ActionClient
    from rosidl_runtime_py import set_message_fields

    rclpy.init()
    node = rclpy.create_node("elbowroom_program")
    client = ActionClient(node, FollowJointTrajectory, action)
    try:
        client.wait_for_server()
        for k, step in enumerate(steps):
            if "event" in step:
                on_event(step["event"])
                continue
            goal = FollowJointTrajectory.Goal()
            set_message_fields(goal, step["goal"])
            sent = client.send_goal_async(goal)
            rclpy.spin_until_future_complete(node, sent)
            handle = sent.result()
            if handle is None or not handle.accepted:
                print(f"step {k}: the controller rejects the goal", file=sys.stderr)
                return 1
            done = handle.get_result_async()
            rclpy.spin_until_future_complete(node, done)
            result = done.result().result
            if result.error_code != FollowJointTrajectory.Result.SUCCESSFUL:
                print(f"step {k}: error {result.error_code}: {result.error_string}", file=sys.stderr)
                return 1
        return 0
    finally:
        node.destroy_node()
        rclpy.shutdown()


def main() -> int:
    parser = argparse.ArgumentParser(description="sends a program to a controller of ROS 2")
    parser.add_argument("folder", type=Path, help="folder written by plan --format ros-goal")
    parser.add_argument("--action", default="/joint_trajectory_controller/follow_joint_trajectory", help="name of the action")
    parser.add_argument("--print", action="store_true", help="print the order of goals and events, and send nothing")
    options = parser.parse_args()
    steps = steps_of(options.folder)
    if not options.print:
        return send(steps, options.action)
    for step in steps:
        if "event" in step:
            print(json.dumps(step["event"]))
        else:
            points = step["goal"]["trajectory"]["points"]
            last = points[-1]["time_from_start"]
            print(f"goal of {len(points)} points, {last['sec'] + last['nanosec'] / 1e9:g} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
