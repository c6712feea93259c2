import { say } from '../../domain/text/say.ts';
import type { Language } from '../en/index.ts';

export const spanishReasons: Language['reasons'] = {
  REST_UNKNOWN: { check: say`¿está el cultivo en reposo? Ver sus ajustes` },
  RIPE: { check: say`¿maduro o cosechado? Anote la cosecha o la etapa` },
  ROOF_UNKNOWN: { check: say`¿está bajo cubierta? Ver el tipo de su parcela` },
  TENSION_AT_ZERO: {
    check: say`su tensión sigue en 0 kPa`,
    steps: say`Revise el tensiómetro (agua, cápsula, contacto con el suelo) y mire el suelo.`,
  },
  TENSION_AT_LIMIT: {
    check: say`su tensión sigue en el límite seco`,
    steps: say`Revise el tensiómetro (agua, cápsula, contacto con el suelo) y mire el suelo.`,
  },
  TENSION_FELL: {
    check: say`su tensión cayó sin agua anotada`,
    steps: say`Revise el tensiómetro (agua, cápsula, contacto con el suelo) y mire el suelo.`,
  },
  DEPTHS_JUMPED: {
    check: say`subida repentina en todas sus profundidades sin agua anotada`,
    steps: say`Revise el conector, el cable y la alimentación de la sonda y mire el suelo; si llegó agua, anótela.`,
  },
  MOSTLY_SILENT: {
    check: say`algunos de sus sensores no envían datos`,
    steps: say`Revise los sensores que no envían datos: cables, conectores y alimentación.`,
  },
  NEW_PROBE: { check: say`nueva: el suelo a su alrededor se asienta` },
  ROOTS_NOT_MEASURED: {
    check: say`ningún sensor muestra sus raíces`,
    steps: say`Revise la profundidad de sus raíces y las de sus sensores.`,
  },
  SOIL_IN_DOUBT: {
    check: say`más húmeda de lo que explica su textura`,
    steps: say`Revise la textura de su parcela y busque agua estancada; si la textura es correcta, dibuje la capacidad de campo.`,
  },
  BY_BALANCE: { check: say`sin lecturas, seca según el balance hídrico` },
  DRY_BY_BALANCE: {
    check: say`seca según el balance hídrico, no según sus lecturas`,
    steps: say`Mire si están anotados todos los riegos y la lluvia, luego si son correctos el equipo y el cultivo, y después revise la sonda.`,
  },
  TOP_FROZEN: { check: say`helada en superficie: esperar el deshielo` },
  NO_RESPONSE: {
    check: say`no mostró ninguno de los últimos riegos`,
    steps: say`Compruebe que llega el agua (válvula, filtro, goteros) y que la sonda está en el suelo mojado.`,
  },
  TOO_WET: {
    check: say`húmeda desde hace días sin recibir agua`,
    steps: say`Busque una fuga, un punto bajo o sales, y mire si a las raíces les falta aire.`,
  },
  DEPTHS_EXCHANGED: {
    check: say`su sensor más profundo es el primero en secarse`,
    steps: say`Compruebe a qué profundidad está cada sensor: parecen intercambiados.`,
  },
  PROBES_EXCHANGED: {
    check: say`muestra los riegos de otra sonda`,
    steps: say`Compruebe dónde está cada una de las dos antes de regar según ellas. No corrija los riegos registrados salvo que ambas estén en su sitio.`,
  },
  LOG_SHIFTED: { check: say`¿son correctos los días de sus riegos, o está en otra válvula?` },
  UNCONFIRMED_WATERING: { check: say`¿se hizo el riego previsto?` },
  RECENT_WATERING: { check: say`quizá se infiltra un riego reciente` },
  FIELD_CAPACITY_IN_DOUBT: {
    check: say`la capacidad de campo dibujada no encaja con este suelo`,
    steps: say`Revise la línea de capacidad de campo y el perfil del suelo; confirme la línea si es correcta.`,
  },
  WILTING_POINT_IN_DOUBT: {
    check: say`el punto de marchitez dibujado no encaja con este suelo`,
    steps: say`Revise la línea del punto de marchitez y el perfil del suelo; confirme la línea si es correcta.`,
  },
  FLOW_RATE_IN_DOUBT: { check: say`¿es correcta su pluviometría?` },
  TOO_DRY_FOR_SOIL: {
    check: say`un sensor demasiado seco para este suelo`,
    readings: (readings, { limit }) =>
      say`${readings}, donde el suelo conserva al menos un ${limit} %`,
    steps: (values) =>
      say`La sonda marca ${values}: revise el sensor, su contacto con el suelo y el perfil del suelo antes de fiarse.`,
  },
  TOO_WET_FOR_SOIL: {
    check: say`un sensor demasiado húmedo para este suelo`,
    readings: (readings, { limit }) =>
      say`${readings}, donde el suelo retiene como mucho un ${limit} %`,
    steps: (values) =>
      say`La sonda marca ${values}: revise el sensor, su cable y el perfil del suelo antes de fiarse.`,
  },
  SENSOR_FELL: {
    check: say`caída repentina de un sensor`,
    readings: (readings, { limit, age }) =>
      say`${readings}, tras caer desde un ${limit} % hace ${age}`,
    steps: (values) =>
      say`La sonda marca ${values}, más deprisa de lo que el suelo puede secarse: revise el sensor, su cable y su contacto con el suelo antes de fiarse.`,
  },
  SENSOR_NOISY: {
    check: say`un sensor inestable`,
    readings: (readings, { limit }) =>
      say`${readings}, con valores que saltan ${limit} puntos de una hora a otra`,
    steps: (values) =>
      say`La sonda marca ${values}: revise su cable, sus conexiones y su alimentación antes de fiarse.`,
  },
  SENSOR_DRIFTS: {
    check: say`un sensor con deriva`,
    readings: (readings, { limit, age }) =>
      say`${readings}, tras subir desde un ${limit} % en ${age} sin agua`,
    steps: (values) =>
      say`La sonda marca ${values}, sin que otra profundidad haya perdido tanta agua: revise el sensor y mire el suelo en el campo antes de fiarse.`,
  },
  SENSOR_STUCK: {
    check: say`un sensor bloqueado`,
    readings: (readings, { age }) => say`exactamente ${readings} desde hace ${age}`,
    steps: (values) =>
      say`La sonda marca ${values}: revise el sensor y su cable, y mire el suelo en el campo antes de fiarse.`,
  },
  DEEP_ROOTS_NOT_MEASURED: {
    check: say`sus raíces bajan mucho más que sus sensores`,
    steps: say`Mire con una barrena el suelo bajo su sensor más profundo y ponga ahí un sensor, o corrija la profundidad de las raíces.`,
  },
  ROOTS_TOO_DEEP: { check: say`¿llegan tan hondo las raíces?` },
};

export const spanishSuspectReadings: Language['suspectReadings'] = {
  reading: (value, depth) => say`${value} a ${depth}`,
  unknownDepth: say`una profundidad desconocida`,
  separator: say`; `,
};

export const spanishDoubtMail: Language['doubtMail'] = {
  subject: (name, check) => say`Revise ${name}: ${check}`,
  lead: (probe, since, check) =>
    say`Las lecturas de ${probe} son dudosas desde el ${since}: ${check}.`,
  meanwhile: {
    tooWet: say`Hasta que haya mirado el suelo, no dé más agua allí.`,
    look: say`Mientras tanto, mire el suelo antes de regar allí.`,
    noWater: (probe) =>
      probe === null
        ? say`Por ahora, no riegue: según el balance hídrico no hace falta.`
        : say`Por ahora, no riegue: ${probe}, en la misma parcela, todavía no lo necesita.`,
    byProbe: (probe, amount) =>
      say`Mientras tanto, dé lo que necesita ${probe}, en la misma parcela: ${amount}.`,
    byBalance: (amount) => say`Mientras tanto, dé lo que indica el balance hídrico: ${amount}.`,
    asBefore: (amount, isUnconfirmed) =>
      say`Mientras tanto, siga como en los últimos 14 días: ${amount} a la semana${isUnconfirmed ? say`, si se hicieron todos los riegos` : null}.`,
  },
  footer: (zone, company) =>
    say`Días locales (${zone}). Acequia escribe una vez por cada duda en ${company}, a quienes reciben las alertas de la sonda o, si no hay nadie, al propietario.`,
};
