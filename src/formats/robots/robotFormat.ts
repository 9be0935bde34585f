import type { LinkGeometry, Urdf } from './urdfDocument.ts';

/** A format of robot files: its reader converts a file to the links and joints of a URDF. */
export interface RobotFormat {
  /** Extensions of its files, in lower case, without the dot. */
  readonly extensions: readonly string[];
  /** Name of the root element, by which files with another extension are recognized. */
  readonly root: string;
  /**
   * Reads a robot. Throws `InputError` with file and line.
   * @param file path of the file, for messages and for the paths of files that it includes
   */
  readonly read: (text: string, file: string, reading: RobotReading) => Promise<Urdf>;
}

/** Inputs of a reader of robot files besides the text. */
export interface RobotReading {
  /** Which elements of the links are the collision geometry. */
  readonly geometry: LinkGeometry;
  /** Values of the arguments of the file (`$(arg NAME)` of xacro). */
  readonly args: Readonly<Record<string, string>>;
  /** Access to the files that the file includes. */
  readonly files: RobotFileAccess;
}

/** Access to files that robot files include. Synchronous, because expressions may load files. */
export interface RobotFileAccess {
  /**
   * Returns the path of a file that another file names, relative to the folder of that file.
   * @param address path as written, relative or absolute
   * @param from path of the file that contains the address
   */
  readonly resolve: (address: string, from: string) => string;
  /** Returns true if there is a file at this path. */
  readonly exists: (path: string) => boolean;
  /** Returns the names of the files in a folder, sorted and joined by `/`; empty if it may not be read. */
  readonly fileNames: (folder: string) => string;
  /** Returns the path in the sources of a package of a file that its installation has at `path`; undefined if none. */
  readonly inSources: (path: string) => string | undefined;
  /** Reads a text file. Throws `InputError` if it is missing, too large, or outside the folders of the robot. */
  readonly readText: (path: string) => string;
  /** Returns the absolute path of the folder of a package; undefined if it is not found. */
  readonly packageFolder: (name: string) => string | undefined;
  /** Returns the absolute path of the folder that contains a file. */
  readonly absoluteFolder: (file: string) => string;
  /** Absolute path of the working folder. */
  readonly workingFolder: string;
  /** Returns the value of an environment variable; undefined if it is not set. */
  readonly environment: (name: string) => string | undefined;
}

/** Returns the warning about a file of a package that is read from its sources. */
export const sourceWarning = (place: string, source: string): string =>
  `${place} is not there in the sources of its package: ${source} is read, which an installation puts there`;
