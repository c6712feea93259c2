import type { PageReason } from '../../domain/advice/advice-reason.ts';
import { counted, type Sayable, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';

/** What to check, or to say, before a probe is watered, after its name or "check first". */
export const englishChecks: Readonly<Record<PageReason, Text>> = {
  NO_RESPONSE: say`showed none of the last waterings`,
  TENSION_AT_ZERO: say`stands at 0 kPa`,
  TENSION_AT_LIMIT: say`stands at its dry limit`,
  TENSION_FELL: say`fell from dry to wet, no water recorded`,
  DEPTHS_JUMPED: say`all its depths rose at once, no water recorded`,
  MOSTLY_SILENT: say`some of its sensors are silent`,
  NEW_PROBE: say`new: the soil around it settles`,
  ROOTS_NOT_MEASURED: say`no sensor shows its roots`,
  SOIL_IN_DOUBT: say`wetter than its texture explains`,
  TOO_WET: say`wet for days although no water came`,
  FIELD_CAPACITY_IN_DOUBT: say`its drawn field capacity does not fit the soil`,
  WILTING_POINT_IN_DOUBT: say`its drawn wilting point does not fit the soil`,
  BY_BALANCE: say`silent, dry by the water balance`,
  DRY_BY_BALANCE: say`dry by the water balance, not by its readings`,
  TOP_FROZEN: say`its topsoil is frozen: wait for the thaw`,
  LOG_SHIFTED: say`are the days of its waterings right?`,
  REST_UNKNOWN: say`is its crop at rest? See its settings`,
  UNCONFIRMED_WATERING: say`did the planned watering run?`,
  RECENT_WATERING: say`a recent watering may be soaking in`,
  FLOW_RATE_IN_DOUBT: say`is its application rate right?`,
  ROOTS_TOO_DEEP: say`are its roots that deep?`,
  TOO_DRY_FOR_SOIL: say`a sensor reads too dry for the soil`,
  TOO_WET_FOR_SOIL: say`a sensor reads too wet for the soil`,
  SENSOR_FELL: say`a sensor fell suddenly`,
  SENSOR_NOISY: say`a sensor is noisy`,
  SENSOR_DRIFTS: say`a sensor drifts`,
  SENSOR_STUCK: say`a sensor is stuck`,
};

/** What waits for a person, in the head of the page. */
export const englishWaiting = {
  devices: (n: number) => counted(n, 'device to assign', 'devices to assign'),
  senders: (n: number) => say`messages of ${counted(n, 'sender')} not read`,
  unsent: (n: number, wait: Sayable) =>
    say`${counted(n, 'message')} not sent${wait === null ? null : say` for ${wait}`}`,
};
