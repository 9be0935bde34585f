import type { PeerRow } from './peerTable.ts';
import type { Measured } from './rows.ts';

type Row = Record<string, string | number>;

/** Returns the targets and the measured values of this run; sections that were not run have no rows. */
export function targetRows({ boolean, growth, planar, peers }: Measured): Row[] {
  return [...booleanTargets(boolean), ...growthTargets(growth), ...peerTargets(peers), ...planarTargets(planar)];
}

function booleanTargets(rows: Measured['boolean']): Row[] {
  return rows.flatMap((row) => {
    const name = `Boolean, hulls of ${row['hulls']}`;
    if (row['pairs'] === 'mixed') {
      return [
        line(`${name}, mixed, cold, ns`, row['cold ns'], 230),
        line(`${name}, mixed, iterations`, row['cold it.'], 2.2),
      ];
    }
    if (row['pairs'] === 'separated' && row['hulls'] === 60) {
      return [line(`${name}, separated, warm / cold`, row['warm / cold'], 0.4)];
    }
    return [];
  });
}

function growthTargets(rows: Measured['growth']): Row[] {
  return rows.flatMap((row) => {
    const isHull = String(row['bodies']).startsWith('hulls');
    const name = `growth distance, ${row['bodies']}`;
    const cold = line(`${name}, cold, repeated pair, ns`, row['cold, repeated pair: median ns'], isHull ? 2500 : 2300);
    return isHull ? [cold, line(`${name}, moving, warm / cold`, row['warm / cold'], 0.5)] : [cold];
  });
}

function peerTargets(rows: readonly PeerRow[]): Row[] {
  const mixed = rows.filter((row) => row.class === 'mixed');
  return mixed.flatMap((row) => {
    const vertices = Number(row.bodies.replace('hulls of ', ''));
    const out: Row[] = [];
    const rapier = Object.keys(row).find((column) => column.startsWith('ours is faster by (Rapier'));
    if (rapier && [20, 100, 500].includes(vertices)) {
      out.push(line(`Boolean, ${row.bodies}, mixed, ours / Rapier`, 1 / Number(row[rapier]), 1 / 3));
    }
    if ('ours / FCL' in row && vertices <= 200) {
      out.push(line(`Boolean, ${row.bodies}, mixed, ours / FCL`, row['ours / FCL'], 0.5));
    }
    return out;
  });
}

function planarTargets(rows: Measured['planar']): Row[] {
  return rows
    .filter((row) => row.vertices === 8 && 'ours / planck, Boolean' in row)
    .map((row) => line(`2D Boolean, 8 vertices, ${row.class}, ours / planck`, row['ours / planck, Boolean'], 0.5));
}

function line(target: string, measured: string | number, atMost: number): Row {
  const value = Number(measured);
  return { target, 'at most': atMost, measured: value, met: value <= atMost ? 'yes' : 'NO' };
}
