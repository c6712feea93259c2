import type { CheckReason } from '../../domain/advice/advice-reason.ts';

/** What to check, or to say, before a probe is watered, after its name or "check first". */
export const spanishChecks: Readonly<Record<CheckReason | 'REST_UNKNOWN', string>> = {
  NO_RESPONSE: 'no mostró ninguno de los últimos riegos',
  TENSION_AT_ZERO: 'fijo en 0 kPa',
  TENSION_AT_LIMIT: 'fijo en su límite seco',
  TENSION_FELL: 'pasó de seco a húmedo sin agua anotada',
  MOSTLY_SILENT: 'algunos de sus sensores no envían datos',
  NEW_PROBE: 'nueva: el suelo a su alrededor se asienta',
  TOO_WET: 'demasiado húmeda desde hace días sin agua',
  FIELD_CAPACITY_IN_DOUBT: 'la capacidad de campo dibujada no encaja con este suelo',
  WILTING_POINT_IN_DOUBT: 'el punto de marchitez dibujado no encaja con este suelo',
  BY_BALANCE: 'sin lecturas, seca según el balance hídrico',
  DRY_BY_BALANCE: 'seca según el balance hídrico, no según sus lecturas',
  TOP_FROZEN: 'helada en superficie: esperar el deshielo',
  LOG_SHIFTED: '¿son correctos los días de sus riegos?',
  REST_UNKNOWN: '¿está el cultivo en reposo? Ver sus ajustes',
  UNCONFIRMED_WATERING: '¿se hizo el riego previsto?',
  RECENT_WATERING: 'regada hace poco',
  ROOTS_TOO_DEEP: '¿llegan tan hondo las raíces?',
  TOO_DRY_FOR_SOIL: 'demasiado seca para este suelo',
  TOO_WET_FOR_SOIL: 'demasiado húmeda para este suelo',
  SENSOR_FELL: 'caída repentina',
  SENSOR_NOISY: 'valores inestables',
  SENSOR_DRIFTS: 'deriva',
  SENSOR_STUCK: 'sensor bloqueado',
};
