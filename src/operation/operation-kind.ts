/** Each has a folder of this name in tools/. */
export const TOOLSETS = [
  'irrigation',
  'weather',
  'monitoring',
  'moisture',
  'soil',
  'alerts',
  'advice',
  'company',
  'farm',
  'ingest',
  'keys',
  'changes',
] as const;
export type Toolset = (typeof TOOLSETS)[number];
export const TOOLSET_DESCRIPTIONS: Readonly<Record<Toolset, string>> = {
  irrigation: 'Waterings, schedules, equipment.',
  weather: 'Rain, and the weather of a day.',
  monitoring: 'Probes, stations, gateways and what they measure.',
  moisture: 'How the readings of a probe are weighted and judged.',
  soil: 'Parcels and their soil.',
  alerts: 'Alerts, and drawings on the curves.',
  advice: 'What to water, and how it went.',
  company: 'The company and its members; codes and labels.',
  farm: 'Entering the company, parcels and probes.',
  ingest: 'Devices, and readings that arrive or are imported.',
  keys: 'Access to the live page.',
  changes: 'What was changed, and undoing it.',
};

/** A toolset of what daily work needs, from several of the others. */
export const DAILY = 'daily';
/** The names that `--toolsets` takes besides `all`. */
export const TOOLSET_NAMES = [DAILY, ...TOOLSETS] as const;
export type ToolsetName = (typeof TOOLSET_NAMES)[number];

export type Effect = 'read' | 'create' | 'update' | 'delete';

/** Other writes leave the same rows if they are repeated. */
export const writesAgainIfRepeated = ({
  effect,
  tool,
}: {
  readonly effect: Effect;
  readonly tool?: { readonly repeatsDiffer?: true } | undefined;
}): boolean => effect === 'create' || tool?.repeatsDiffer === true;

export const isWrite = (operation: { effect: Effect }): boolean => operation.effect !== 'read';
