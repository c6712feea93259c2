import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { WATERING } from '../../base-farm.ts';
import { bodyOf } from '../mcp-session.ts';

const NAMES = ['a', 'e', 'o', 'u'].flatMap((vowel) =>
  ['Bl', 'C', 'Dr', 'F', 'G', 'H', 'J', 'K', 'M', 'P', 'R', 'V', 'W', 'Z'].flatMap((start) =>
    ['bel', 'dimir', 'lto', 'nsk', 'rgos', 'ssup'].map((end) => `${start}${vowel}${end}`),
  ),
);
let count = 0;

interface Block {
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
  const name = NAMES[count++ % NAMES.length]!;
  const parcel = `${name} block`;
  const probes = [`${name} 1`, `${name} 2`] as const;
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
  const [one, two] = ids as [number, number];
  return {
    parcel,
    probes,
    ids: [one, two],
    labels: [`${probes[0]} (#${one})`, `${probes[1]} (#${two})`],
    ambiguous: { ...WATERING, module: name },
    watering: { ...WATERING, module: probes[1], detail: 'full' },
  };
}
