/** Maximum number of triangles of a file; files that place one mesh many times may exceed it and are rejected. */
export const MAX_TRIANGLES = 5_000_000;
