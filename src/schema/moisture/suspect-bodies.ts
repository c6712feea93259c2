import { roundTo } from '../../domain/decimal.ts';
import type { SuspectReading } from '../../domain/facts/probe-facts.ts';
import type { SuspectTension } from '../../domain/facts/suspect-tension.ts';
import { MEASUREMENTS } from '../../domain/moisture/measurement.ts';
import { toIso, toIsoOrNull } from '../wire-format.ts';
import type { SuspectReadingBody, SuspectTensionBody } from './series.ts';

// Suspect readings as facts, and as bodies of answers.

const MOISTURE_DECIMALS = 6;
const KPA_DECIMALS = MEASUREMENTS.tensio.decimals;

export const toSuspectReadingBody = ({
  reason,
  depthCm,
  value,
  limit,
  since,
}: SuspectReading): SuspectReadingBody => ({
  reason,
  depth: depthCm,
  value_vwc: roundTo(value, MOISTURE_DECIMALS),
  limit_vwc: limit === null ? null : roundTo(limit, MOISTURE_DECIMALS),
  since: toIsoOrNull(since),
});

export const suspectReadingOf = ({
  reason,
  depth,
  value_vwc: value,
  limit_vwc: limit,
  since,
}: SuspectReadingBody): SuspectReading => ({
  reason,
  depthCm: depth,
  value,
  limit,
  since: since === null ? null : Date.parse(since),
});

export const toSuspectTensionBody = ({
  reason,
  depthCm,
  value,
  from,
  since,
}: SuspectTension): SuspectTensionBody => ({
  reason,
  depth: depthCm,
  value_tensio: roundTo(value, KPA_DECIMALS),
  from_tensio: from === null ? null : roundTo(from, KPA_DECIMALS),
  since: toIso(since),
});

export const suspectTensionOf = ({
  reason,
  depth,
  value_tensio: value,
  from_tensio: from,
  since,
}: SuspectTensionBody): SuspectTension => ({
  reason,
  depthCm: depth,
  value,
  from,
  since: Date.parse(since),
});
