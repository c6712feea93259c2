import type { PageReason } from '../../domain/advice/advice-reason.ts';
import { counted, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import type { Language } from '../en/index.ts';

/** What to check, or to say, before a probe is watered, after its name or "check first". */
export const spanishChecks: Readonly<Record<PageReason, Text>> = {
  NO_RESPONSE: say`no mostró ninguno de los últimos riegos`,
  TENSION_AT_ZERO: say`su tensión sigue en 0 kPa`,
  TENSION_AT_LIMIT: say`su tensión sigue en el límite seco`,
  TENSION_FELL: say`su tensión cayó sin agua anotada`,
  DEPTHS_JUMPED: say`todas sus profundidades subieron a la vez sin agua anotada`,
  MOSTLY_SILENT: say`algunos de sus sensores no envían datos`,
  NEW_PROBE: say`nueva: el suelo a su alrededor se asienta`,
  ROOTS_NOT_MEASURED: say`ningún sensor muestra sus raíces`,
  SOIL_IN_DOUBT: say`más húmeda de lo que explica su textura`,
  TOO_WET: say`húmeda desde hace días sin recibir agua`,
  FIELD_CAPACITY_IN_DOUBT: say`la capacidad de campo dibujada no encaja con este suelo`,
  WILTING_POINT_IN_DOUBT: say`el punto de marchitez dibujado no encaja con este suelo`,
  BY_BALANCE: say`sin lecturas, seca según el balance hídrico`,
  DRY_BY_BALANCE: say`seca según el balance hídrico, no según sus lecturas`,
  TOP_FROZEN: say`helada en superficie: esperar el deshielo`,
  LOG_SHIFTED: say`¿son correctos los días de sus riegos?`,
  REST_UNKNOWN: say`¿está el cultivo en reposo? Ver sus ajustes`,
  UNCONFIRMED_WATERING: say`¿se hizo el riego previsto?`,
  RECENT_WATERING: say`quizá se infiltra un riego reciente`,
  FLOW_RATE_IN_DOUBT: say`¿es correcta su pluviometría?`,
  ROOTS_TOO_DEEP: say`¿llegan tan hondo las raíces?`,
  TOO_DRY_FOR_SOIL: say`un sensor demasiado seco para este suelo`,
  TOO_WET_FOR_SOIL: say`un sensor demasiado húmedo para este suelo`,
  SENSOR_FELL: say`caída repentina de un sensor`,
  SENSOR_NOISY: say`un sensor inestable`,
  SENSOR_DRIFTS: say`un sensor con deriva`,
  SENSOR_STUCK: say`un sensor bloqueado`,
};

/** What waits for a person, in the head of the page. */
export const spanishWaiting: Language['waiting'] = {
  devices: (n) => counted(n, 'dispositivo por asignar', 'dispositivos por asignar'),
  senders: (n) => say`mensajes de ${counted(n, 'emisor', 'emisores')} sin leer`,
  unsent: (n, wait) =>
    say`${counted(n, 'mensaje')} sin enviar${wait === null ? null : say` desde hace ${wait}`}`,
};
