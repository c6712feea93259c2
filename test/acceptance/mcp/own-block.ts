import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { WATERING } from '../../base-farm.ts';
import { importFarmFile } from '../../imported-data.ts';
import { rowsOf } from '../../stores/stores.ts';
import { bodyOf } from '../mcp-session.ts';

const NAMES = ['a', 'e', 'o', 'u'].flatMap((vowel) =>
  ['Bl', 'C', 'Dr', 'F', 'G', 'H', 'J', 'K', 'M', 'P', 'R', 'V', 'W', 'Z'].flatMap((start) =>
    ['bel', 'dimir', 'lto', 'nsk', 'rgos', 'ssup'].map((end) => `${start}${vowel}${end}`),
  ),
);
let count = 0;

export interface Block {
  /** Such as "Blabel block". */
  readonly parcel: string;
  /** Such as "Blabel 1" and "Blabel 2". */
  readonly probes: readonly [string, string];
  /** Such as "Blabel 1 (#5)" and "Blabel 2 (#6)". */
  readonly labels: readonly [string, string];
  readonly ids: readonly [number, number];
  /** Arguments of a watering of "Blabel", which can mean both probes. */
  readonly ambiguous: typeof WATERING;
  /** Arguments of a watering of the second probe. */
  readonly watering: typeof WATERING & { readonly detail: 'full' };
}

/**
 * Two probes on a parcel of a single test, with `system` on the second one, which has no flow rate.
 */
export async function newBlock(
  call: (name: string, args: Record<string, unknown>) => Promise<CallToolResult>,
  system: 'drip' | null = 'drip',
): Promise<Block> {
  const name = nextName();
  const [parcel, probes] = [parcelOf(name), probesOf(name)];
  bodyOf(await call('set_parcel', { name: parcel }));
  const ids: number[] = [];
  for (const probe of probes) {
    const entry = { name: probe, parcel, sensors: ['humidity 20'], commissionedAt: '2025-01-11' };
    ids.push(bodyOf(await call('set_module', entry)).module.id);
  }
  if (system)
    bodyOf(
      await call('set_module_installation', {
        module: probes[1],
        system,
        effectiveFrom: '2026-06-01 00:00',
      }),
    );
  return describeBlock(name, ids as [number, number]);
}

const nextName = (): string => NAMES[count++ % NAMES.length]!;
const parcelOf = (name: string): string => `${name} block`;
const probesOf = (name: string): readonly [string, string] => [`${name} 1`, `${name} 2`];

/** Adds blocks to the base farm at once, for a file that needs many, and returns how to take one. */
export async function importBlocks(db: string, blockCount: number): Promise<() => Block> {
  const names = Array.from({ length: blockCount }, nextName);
  const module = {
    category: 'SOIL_PROBE',
    commissionedAt: '2025-01-11T00:00:00Z',
    sensors: [{ type: 'humidity', depth: 20 }],
  };
  await importFarmFile(db, {
    company: { name: 'Mas Rouge' },
    parcels: names.map((name) => ({ name: parcelOf(name) })),
    modules: names.flatMap((name) => {
      const [first, second] = probesOf(name);
      const common = { ...module, parcel: parcelOf(name) };
      return [
        { ...common, uid: first, name: first },
        { ...common, uid: second, name: second, installation: { system: 'drip' } },
      ];
    }),
  });

  const modules = await rowsOf<{ id: number; name: string }>(db, 'select id, name from modules');
  const idByName = new Map(modules.map(({ id, name }) => [name, id]));
  const blocks = names.map((name) => {
    const [first, second] = probesOf(name);
    return describeBlock(name, [idByName.get(first)!, idByName.get(second)!]);
  });
  return () => {
    const block = blocks.pop();
    if (block === undefined) throw new Error(`More than ${blockCount} blocks are taken`);
    return block;
  };
}

function describeBlock(name: string, [one, two]: readonly [number, number]): Block {
  const probes = probesOf(name);
  return {
    parcel: parcelOf(name),
    probes,
    ids: [one, two],
    labels: [`${probes[0]} (#${one})`, `${probes[1]} (#${two})`],
    ambiguous: { ...WATERING, module: name },
    watering: { ...WATERING, module: probes[1], detail: 'full' },
  };
}
