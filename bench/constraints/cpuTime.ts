/** CPU time of this process and all its threads, milliseconds: unlike wall time it does not grow with other loads. */
export function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
