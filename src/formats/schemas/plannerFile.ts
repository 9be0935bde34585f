/** True if the name of a planner is a path: it has a slash, or the extension of a module. */
export const isPlannerFile = (name: string): boolean => PLANNER_FILE.test(name);

/** Pattern of paths of planners, as in the schema of experiments. */
export const PLANNER_FILE = /[\\/]|\.[cm]?[jt]s$/;

/** Name of a planner in messages, labels and statistics: that of its file without folder and extension. */
export const plannerNameOfFile = (file: string): string => file.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '');
