import type { CheckReason } from '../../domain/advice/advice-reason.ts';
import type { Language } from '../en/index.ts';
import { spanishCount } from './grammar.ts';

/** What to check, or to say, before a probe is watered, after its name or "check first". */
export const spanishChecks: Readonly<Record<CheckReason | 'REST_UNKNOWN', string>> = {
  NO_RESPONSE: 'no mostró ninguno de los últimos riegos',
  TENSION_AT_ZERO: 'su tensión sigue en 0 kPa',
  TENSION_AT_LIMIT: 'su tensión sigue en el límite seco',
  TENSION_FELL: 'su tensión cayó sin agua anotada',
  DEPTHS_JUMPED: 'todas sus profundidades subieron a la vez sin agua anotada',
  MOSTLY_SILENT: 'algunos de sus sensores no envían datos',
  NEW_PROBE: 'nueva: el suelo a su alrededor se asienta',
  ROOTS_NOT_MEASURED: 'ningún sensor muestra sus raíces',
  SOIL_IN_DOUBT: 'más húmeda de lo que explica su textura',
  TOO_WET: 'húmeda desde hace días sin recibir agua',
  FIELD_CAPACITY_IN_DOUBT: 'la capacidad de campo dibujada no encaja con este suelo',
  WILTING_POINT_IN_DOUBT: 'el punto de marchitez dibujado no encaja con este suelo',
  BY_BALANCE: 'sin lecturas, seca según el balance hídrico',
  DRY_BY_BALANCE: 'seca según el balance hídrico, no según sus lecturas',
  TOP_FROZEN: 'helada en superficie: esperar el deshielo',
  LOG_SHIFTED: '¿son correctos los días de sus riegos?',
  REST_UNKNOWN: '¿está el cultivo en reposo? Ver sus ajustes',
  UNCONFIRMED_WATERING: '¿se hizo el riego previsto?',
  RECENT_WATERING: 'quizá se infiltra un riego reciente',
  FLOW_RATE_IN_DOUBT: '¿es correcta su pluviometría?',
  ROOTS_TOO_DEEP: '¿llegan tan hondo las raíces?',
  TOO_DRY_FOR_SOIL: 'un sensor demasiado seco para este suelo',
  TOO_WET_FOR_SOIL: 'un sensor demasiado húmedo para este suelo',
  SENSOR_FELL: 'caída repentina de un sensor',
  SENSOR_NOISY: 'un sensor inestable',
  SENSOR_DRIFTS: 'un sensor con deriva',
  SENSOR_STUCK: 'un sensor bloqueado',
};

/** What waits for a person, in the head of the page. */
export const spanishWaiting: Language['waiting'] = {
  devices: (n) => spanishCount(n, 'dispositivo por asignar', 'dispositivos por asignar'),
  senders: (n) => `mensajes de ${spanishCount(n, 'emisor', 'emisores')} sin leer`,
  unsent: (n, wait) =>
    `${spanishCount(n, 'mensaje')} sin enviar${wait === null ? '' : ` desde hace ${wait}`}`,
};
