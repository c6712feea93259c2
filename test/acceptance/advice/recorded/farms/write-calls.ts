import type { Probe } from './probe-kinds.ts';

/** A call of a tool that writes. */
export interface WriteCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The argument that gets the id of what the call before wrote. */
  readonly idOfLast?: 'eventId' | 'rainId' | 'annotationId' | 'changeId';
}

export const reference = (probe: Probe): string => `#${probe.id}`;

export const soilProbes = (probes: readonly Probe[]): Probe[] =>
  probes.filter(({ category, kind }) => category === 'SOIL_PROBE' && kind !== 'uncommissioned');
