import type { CheckReason } from '../../domain/advice/advice-reason.ts';
import { englishCount } from './grammar.ts';

/** What to check, or to say, before a probe is watered, after its name or "check first". */
export const englishChecks: Readonly<Record<CheckReason | 'REST_UNKNOWN', string>> = {
  NO_RESPONSE: 'showed none of the last waterings',
  TENSION_AT_ZERO: 'stands at 0 kPa',
  TENSION_AT_LIMIT: 'stands at its dry limit',
  TENSION_FELL: 'fell from dry to wet, no water recorded',
  DEPTHS_JUMPED: 'all its depths rose at once, no water recorded',
  MOSTLY_SILENT: 'some of its sensors are silent',
  NEW_PROBE: 'new: the soil around it settles',
  ROOTS_NOT_MEASURED: 'no sensor shows its roots',
  SOIL_IN_DOUBT: 'wetter than its texture explains',
  TOO_WET: 'wet for days although no water came',
  FIELD_CAPACITY_IN_DOUBT: 'its drawn field capacity does not fit the soil',
  WILTING_POINT_IN_DOUBT: 'its drawn wilting point does not fit the soil',
  BY_BALANCE: 'silent, dry by the water balance',
  DRY_BY_BALANCE: 'dry by the water balance, not by its readings',
  TOP_FROZEN: 'its topsoil is frozen: wait for the thaw',
  LOG_SHIFTED: 'are the days of its waterings right?',
  REST_UNKNOWN: 'is its crop at rest? See its settings',
  UNCONFIRMED_WATERING: 'did the planned watering run?',
  RECENT_WATERING: 'a recent watering may be soaking in',
  FLOW_RATE_IN_DOUBT: 'is its application rate right?',
  ROOTS_TOO_DEEP: 'are its roots that deep?',
  TOO_DRY_FOR_SOIL: 'a sensor reads too dry for the soil',
  TOO_WET_FOR_SOIL: 'a sensor reads too wet for the soil',
  SENSOR_FELL: 'a sensor fell suddenly',
  SENSOR_NOISY: 'a sensor is noisy',
  SENSOR_DRIFTS: 'a sensor drifts',
  SENSOR_STUCK: 'a sensor is stuck',
};

/** What waits for a person, in the head of the page. */
export const englishWaiting = {
  devices: (n: number) => englishCount(n, 'device to assign', 'devices to assign'),
  senders: (n: number) => `messages of ${englishCount(n, 'sender')} not read`,
  unsent: (n: number, wait: string | null) =>
    `${englishCount(n, 'message')} not sent${wait === null ? '' : ` for ${wait}`}`,
};
