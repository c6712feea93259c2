import type { CheckReason } from '../../domain/advice/advice-reason.ts';

/** What to check, or to say, before a probe is watered, after its name or "check first". */
export const englishChecks: Readonly<Record<CheckReason | 'REST_UNKNOWN', string>> = {
  NO_RESPONSE: 'showed none of the last waterings',
  TENSION_AT_ZERO: 'stands at 0 kPa',
  TENSION_AT_LIMIT: 'stands at its dry limit',
  TENSION_FELL: 'fell from dry to wet, no water recorded',
  MOSTLY_SILENT: 'some of its sensors are silent',
  NEW_PROBE: 'new: the soil around it settles',
  TOO_WET: 'too wet for days without water',
  FIELD_CAPACITY_IN_DOUBT: 'its drawn field capacity does not fit the soil',
  WILTING_POINT_IN_DOUBT: 'its drawn wilting point does not fit the soil',
  BY_BALANCE: 'silent, dry by the water balance',
  DRY_BY_BALANCE: 'dry by the water balance, not by its readings',
  TOP_FROZEN: 'its topsoil is frozen: wait for the thaw',
  LOG_SHIFTED: 'are the days of its waterings right?',
  REST_UNKNOWN: 'is its crop at rest? See its settings',
  UNCONFIRMED_WATERING: 'did the planned watering run?',
  RECENT_WATERING: 'watered recently',
  ROOTS_TOO_DEEP: 'are its roots that deep?',
  TOO_DRY_FOR_SOIL: 'too dry for the soil',
  TOO_WET_FOR_SOIL: 'too wet for the soil',
  SENSOR_FELL: 'fell suddenly',
  SENSOR_NOISY: 'noisy',
  SENSOR_DRIFTS: 'drifts',
  SENSOR_STUCK: 'stuck',
};
