import json
import tempfile
import unittest
from pathlib import Path

from elbowroom import Trajectory


class Trajectories(unittest.TestCase):
    def test_linear_cubic_and_quintic_segments_match_their_ends(self):
        for columns in ({}, {"velocities": True}, {"velocities": True, "accelerations": True}):
            # x(t) = t⁵ - t³ and its derivatives at t = 0, 0.5 and 2
            times = [0.0, 0.5, 2.0]
            rows = {
                "positions": [[t**5 - t**3] for t in times],
                "velocities": [[5 * t**4 - 3 * t**2] for t in times],
                "accelerations": [[20 * t**3 - 6 * t] for t in times],
            }
            given = {name: rows[name] for name in columns}
            made = Trajectory.from_arrays(["a"], rows["positions"], times, **given)
            for t, row in zip(times, rows["positions"]):
                self.assertAlmostEqual(made.at(t)[0], row[0], 12)
            if len(columns) == 2:  # a quintic is reproduced
                for t in (0.1, 0.3, 0.7, 1.9):
                    self.assertAlmostEqual(made.at(t)[0], t**5 - t**3, 12)
            if not columns:
                self.assertAlmostEqual(made.at(0.25)[0], (rows["positions"][0][0] + rows["positions"][1][0]) / 2, 12)
            self.assertEqual(made.at(-1), made.at(0))
            self.assertEqual(made.at(9), made.at(2))

    def test_a_cubic_is_reproduced_from_positions_and_velocities(self):
        made = Trajectory.from_arrays(["a"], [[0.0], [8.0]], [0.0, 2.0], [[0.0], [12.0]])
        self.assertAlmostEqual(made.at(1.5)[0], 1.5**3, 12)
        stated = Trajectory({**made.to_dict(), "interpolation": "linear"})
        self.assertAlmostEqual(stated.at(1.5)[0], 6.0, 12)

    def test_files_keep_every_field(self):
        data = {"joint_names": ["a"], "points": [{"positions": [1.0]}], "hash": "x", "further": {"y": [1]}}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "path.json"
            Trajectory(data).save(path)
            self.assertEqual(Trajectory.load(path).to_dict(), data)
            self.assertEqual(json.loads(path.read_text()), data)

    def test_paths_count_waypoints_and_names_are_escaped_in_notebooks(self):
        path = Trajectory.from_arrays(["<b>", "c"], [[0.0, 1.0], [2.0, 3.0]])
        self.assertTrue(path.is_path)
        self.assertEqual(path.at(0.5), [1.0, 2.0])
        self.assertEqual(len(path.sample(5)), 5)
        self.assertIn("&lt;b&gt;", path._repr_html_())
        self.assertIn("path, 2 points", repr(path))

    def test_wrong_data_is_refused(self):
        for data in ({"points": []}, {"joint_names": [], "points": []}):
            with self.assertRaises(ValueError):
                Trajectory(data)
        with self.assertRaises(ValueError):
            Trajectory.from_arrays(["a"], [[0.0]], times=[0.0, 1.0])

    def test_plot_draws_one_line_per_joint_on_given_axes(self):
        try:
            import matplotlib
        except ImportError:
            with self.assertRaises(ImportError):
                Trajectory.from_arrays(["a"], [[0.0], [1.0]]).plot()
            return
        matplotlib.use("Agg")
        axes = Trajectory.from_arrays(["a", "b"], [[0.0, 1.0], [1.0, 2.0]], [0.0, 1.0]).plot()
        self.assertEqual(len(axes.get_lines()), 2)


if __name__ == "__main__":
    unittest.main()
