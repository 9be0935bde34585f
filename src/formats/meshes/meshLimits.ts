/** Files may place one mesh many times: beyond this many triangles they are refused. */
export const MOST_TRIANGLES = 5_000_000;
