import fc from 'fast-check';
import type { JsonSchemaNode } from '../../../policy/schema-subset.ts';
import type { RandomFarm } from './random-farms.ts';

/** Ids of alerts and annotations are indexes into the ids answered before. */
export interface GeneratedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const FIRST = [Date.UTC(2026, 5, 30), 20];
const SECOND = [Date.UTC(2026, 6, 1), 30];

const instants = fc.constantFrom(
  ...[
    'today 6:00',
    'yesterday at 18:30',
    '20 minutes ago',
    '2026-06-30T05:00',
    '2026-06-29T22:15:00Z',
    'tomorrow 5:00',
  ],
  'the other day',
);
const bounds = fc.constantFrom('2026-06-28', '2026-07-03', '2026-06-30T12:00', 'yesterday 6:00', 'today 9:00');

const mostlyRight = (right: readonly unknown[], wrong: unknown): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...right) }, { weight: 1, arbitrary: fc.constant(wrong) });

const valuesByArgument = ({ file }: RandomFarm): Readonly<Record<string, fc.Arbitrary<unknown>>> => ({
  module: fc.constantFrom(...file.modules.map((each) => each.name), '#1', 'Module', 'nowhere'),
  parcel: fc.constantFrom(...file.parcels.map((each) => each.name), '#1', 'nowhere'),
  startedAt: instants,
  endedAt: instants,
  effectiveFrom: fc.constantFrom('2026-01-01T08:00', '2026-06-01T08:00', 'yesterday 8:00', 'tomorrow 8:00'),
  ...Object.fromEntries(['start', 'end', 'from', 'to'].map((name) => [name, bounds])),
  startsOn: mostlyRight(['2026-06-25', '2026-07-02'], '2026-02-30'),
  endsOn: mostlyRight(['2026-07-20'], '2026-01-01'),
  startTimes: fc.subarray(['05:30', '22:00', '02:15'], { minLength: 1 }),
  weekdays: fc.subarray([1, 3, 7]),
  timezone: mostlyRight(['Europe/Paris', 'Australia/Lord_Howe'], 'UTC'),
  reminderTime: mostlyRight(['07:30:00'], '8 pm'),
  threshold: mostlyRight([12, 17.5, 25], 101),
  p1: mostlyRight([FIRST, [Date.UTC(2026, 5, 29), 14.5]], [1, 2, 3]),
  p2: fc.constant(SECOND),
  style: fc.constantFrom({ fill: 'threshold1' }, { fill: 'threshold2' }, { fill: '#c0392b' }),
  layers: fc.constantFrom(
    [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 60 }],
    [{ soilHorizonId: 40, depthTopCm: 0, depthBottomCm: 60 }],
  ),
  cursor: fc.constantFrom('WyJtb2R1bGVzIiwxXQ', 'none'),
  limit: fc.constantFrom(1, 2, 10),
  interval: fc.constantFrom(3600, 86_400, 1),
  maxPoints: fc.constantFrom(3, 48),
  search: fc.constantFrom('1', '356', 'zzz'),
  idempotencyKey: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
});

const text = fc.constantFrom('as said', 'Ligne 1\nligne 2', '"quoted" \\ and 😀', '<b>');

function validArgument(name: string, schema: JsonSchemaNode, values: Readonly<Record<string, fc.Arbitrary<unknown>>>) {
  if (values[name]) return values[name];
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]));
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'array') return fc.subarray(((schema.items as JsonSchemaNode).enum as unknown[]) ?? []);
  if (schema.type === 'integer' || name.endsWith('Id')) return fc.integer({ min: 1, max: 4 });
  return schema.type === 'number' ? fc.constantFrom(0.5, 1, 7.25, 60, 1000) : text;
}

/** Arguments that a mode, rhythm, shape or tool needs; without them most calls would be refused. */
const COMPANION_ARGUMENTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  duration: { durationMin: 45 },
  depth_mm: { inputDepthMm: 7.25 },
  volume_m3: { inputVolumeM3: 60 },
  weekly: { weekdays: [1, 3] },
  backtest_alert: { threshold: 17.5 },
  ...Object.fromEntries(
    ['segment', 'ray', 'infinite', 'arrow', 'rect', 'line'].map((shape) => [shape, { p2: SECOND }]),
  ),
};

const withCompanions = (tool: string, args: Record<string, unknown>): Record<string, unknown> => ({
  ...COMPANION_ARGUMENTS[tool],
  ...(args.freq !== undefined && args.parcel === undefined && { module: '#1' }),
  ...COMPANION_ARGUMENTS[String(args.inputMode)],
  ...COMPANION_ARGUMENTS[String(args.freq)],
  ...COMPANION_ARGUMENTS[String(args.type)],
  ...args,
});

export function callsOf(tool: string, inputSchema: JsonSchemaNode, farm: RandomFarm): fc.Arbitrary<GeneratedCall> {
  const values = valuesByArgument(farm);
  const required = (inputSchema.required ?? []) as string[];
  const fields = Object.entries((inputSchema.properties ?? {}) as Record<string, JsonSchemaNode>);
  const one = ([name, schema]: [string, JsonSchemaNode]) =>
    fc.oneof(
      { weight: required.includes(name) ? 0 : 7, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: validArgument(name, schema, values).map((value) => [name, value] as const) },
    );
  return fc
    .tuple(...fields.map(one))
    .map((given) => ({ tool, args: withCompanions(tool, Object.fromEntries(given.filter((each) => each !== null))) }));
}
