import type { ActiveSchedule, AlertFacts, GatewayFacts } from '../../domain/facts/farm-facts.ts';
import type {
  ParcelWateringFacts,
  ProbeWateringFacts,
  WateringFacts,
} from '../../domain/facts/watering-facts.ts';
import type { ListedAlertBody } from '../../schema/alerts/alert.ts';
import type { GatewayBody } from '../../schema/company/company.ts';
import type { ScheduleBody } from '../../schema/irrigation/schedule.ts';
import type { ParcelWateringBody, WateringBody } from '../../schema/irrigation/watering.ts';
import { parseInstantOrNull } from '../../schema/wire-format.ts';

export const toWateringFacts = (body: WateringBody): ProbeWateringFacts => ({
  ...factsOf(body),
  moduleId: body.moduleId,
});

export const toParcelWateringFacts = (body: ParcelWateringBody): ParcelWateringFacts => ({
  ...factsOf(body),
  moduleId: null,
  parcelId: body.parcelId,
});

const factsOf = ({
  id,
  scheduleId,
  isDetached,
  startedAt,
  durationMin,
  inputMode,
  waterMm,
  waterMmWetted,
  configSnapshot,
  status,
  verifiedAt,
}: Omit<WateringBody, 'moduleId'>): Omit<WateringFacts, 'moduleId'> => ({
  id,
  scheduleId,
  isDetached,
  startedAt: Date.parse(startedAt),
  durationMin,
  inputMode,
  waterMm,
  waterMmWetted,
  scope: configSnapshot?.scope ?? null,
  status,
  isConfirmed: verifiedAt !== null,
});

export const toAlertFacts = ({ id, moduleId, threshold, state }: ListedAlertBody): AlertFacts => ({
  id,
  moduleId,
  threshold: Number(threshold),
  state: state && {
    status: state.status,
    isFiring: state.firing,
    since: parseInstantOrNull(state.since),
    value: state.value_vwc,
    at: parseInstantOrNull(state.time),
  },
});

export const toScheduleFacts = ({
  id,
  confirmationPolicy,
  isActive,
  materializedUntil,
}: ScheduleBody): ActiveSchedule => ({
  id,
  confirmationPolicy,
  isActive,
  materializedUntil: parseInstantOrNull(materializedUntil),
});

export const toGatewayFacts = ({
  id,
  imei,
  status,
  lastSeen,
  modules,
}: GatewayBody): GatewayFacts => ({
  id,
  imei,
  isSilent: status === 'faulty',
  lastSeenAt: parseInstantOrNull(lastSeen),
  modules,
});
