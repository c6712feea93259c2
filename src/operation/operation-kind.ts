export const TOOLSETS = [
  'irrigation',
  'monitoring',
  'soil',
  'alerts',
  'company',
  'advice',
] as const;
export type Toolset = (typeof TOOLSETS)[number];
export const TOOLSET_DESCRIPTIONS: Readonly<Record<Toolset, string>> = {
  irrigation: 'Waterings, schedules, equipment.',
  monitoring: 'Probes, stations, gateways and what they measure.',
  soil: 'Parcels and their soil.',
  alerts: 'Alerts, and drawings on the curves.',
  company: 'The company, its parcels, probes and members; codes and labels.',
  advice: 'What to water, and how it went.',
};

/** Cuts across the others: what daily work needs. */
export const DAILY = 'daily';
/** What `--toolsets` takes, beside `all`. */
export const TOOLSET_NAMES = [DAILY, ...TOOLSETS] as const;
export type ToolsetName = (typeof TOOLSET_NAMES)[number];

export type Effect = 'read' | 'create' | 'update' | 'delete';

export const isWrite = (operation: { effect: Effect }): boolean => operation.effect !== 'read';
