import type { MissingDoseReason } from '../../domain/irrigation/dose.ts';
import type { LossFacts } from '../en/advice.ts';
import type { Language } from '../en/index.ts';
import { spanishCount, spanishNoun, withDel } from './grammar.ts';

const lackVerb = (mm: string): string => (mm === '1' ? 'falta' : 'faltan');

const formatPoints = (points: number, text: string): string =>
  `${text} ${spanishNoun(points, 'punto')}`;

function describeLosses(losses: LossFacts | null): string {
  if (losses === null) return 'sin contar pérdidas ni lavado';
  const efficiency =
    losses.efficiency === null ? 'sin pérdidas' : `eficiencia del ${losses.efficiency} %`;
  const leaching = losses.leaching === null ? 'sin lavado' : `lavado del ${losses.leaching} %`;
  return `de los que ${losses.netMm} mm son para las raíces: ${efficiency}, ${leaching}`;
}

function describeFurtherDays(each: string, furtherDays: number | null): string {
  if (furtherDays === 1) return `${each} mañana`;
  return `y luego ${each} al día durante ${furtherDays === null ? 'más de dos semanas' : `${furtherDays} días`}`;
}

export const spanishAdvicePhrases: Language['advice'] = {
  reasons: {
    NO_SOIL_MOISTURE: () =>
      'No mide la humedad del suelo: pida una sonda de suelo de esa parcela (list_modules).',
    NO_DATA: () =>
      'Nunca ha transmitido ninguna medida: vea con get_module_health si la sonda emite.',
    STALE_DATA: () =>
      'Vea con get_module_health por qué calla la sonda, y mire el suelo en el campo mientras tanto.',
    UNCONFIRMED_WATERING: () =>
      'Un riego previsto en las últimas 24 horas espera confirmación: pregunte si se hizo antes de regar de nuevo.',
    RECENT_WATERING: () =>
      'Puede que un riego de las últimas horas no haya llegado todavía a los sensores: vuelva a preguntar cuando se haya infiltrado.',
    TENSION_ONLY: () =>
      'Un tensiómetro dice si hay que regar, no cuánto: dé la dosis habitual, o guíese por una sonda de la parcela, y mire si la tensión baja.',
    NO_SOIL_PROFILE: () =>
      'No se sabe cuánto puede retener su suelo: pregunte la textura de su parcela y declárela con set_soil_profile (fuera de parcela: trace la capacidad de campo con create_annotation).',
    FIELD_CAPACITY_ESTIMATED: () =>
      'La capacidad de campo es la de una clase de textura, no se ha medido aquí: aun con la clase correcta, el déficit puede fallar en unos 15 mm. suggest_thresholds la halla a partir de los riegos pasados; trazada con create_annotation, cuenta.',
    NO_INSTALLATION: () =>
      'No tiene instalación de riego declarada: pregunte qué equipo hay y declárelo con set_module_installation.',
    MISSING_FLOW_RATE: () =>
      'Para dar minutos hace falta el caudal en mm/h, que no consta o es demasiado bajo: pregúntelo e indíquelo como flowMmPerH con correct_installation.',
    MISSING_IRRIGATED_AREA: () =>
      'Para dar metros cúbicos hace falta la superficie regada en m2: pregúntela y añádala como irrigatedAreaM2 con correct_installation.',
    GAPS: () =>
      'Falta más de una décima parte de las medidas de la última semana (get_module_health).',
    NO_ROOT_DEPTH: () =>
      'No se ha dado la profundidad de las raíces (rootDepthCm con set_probe_settings), así que cuenta todo lo que vigila la sonda.',
    SLICE_WITHOUT_VALUE: ({ isKnown }) =>
      isKnown
        ? 'Una profundidad sin valor se ha supuesto tan húmeda como las demás.'
        : 'Ninguna profundidad tiene un valor en el que apoyarse (un 0 suelto no lo es): vuelva a preguntar después de la próxima medida.',
    DEPTH_WITHOUT_LAYER: () =>
      'Se ha supuesto que una profundidad sin capa de suelo retiene lo que dice la línea trazada, o lo que el suelo vecino: declárela con set_soil_profile.',
    DEFAULT_FRACTION_WETTED: () =>
      'La fracción mojada es la del sistema por defecto, no un valor medido.',
    EXPECTED_RAIN: ({ rainMm, effectiveRainMm }) =>
      `Este consejo cuenta con ${rainMm} mm de lluvia esperada, de los que ${effectiveRainMm} mm llegan a las raíces: si cae menos, vuelva a preguntar.`,
    EXPECTED_DEMAND: ({ demandPercent }) =>
      `Los días hasta el estrés se apoyan en su previsión: un suelo que se seca al ${demandPercent} % del ritmo de las dos últimas semanas.`,
    DAILY_LIMIT_TOO_SHORT: ({ dailyLimit }) =>
      `Como máximo ${dailyLimit} al día es demasiado poco para recuperar el retraso: revise el caudal y, si puede, permita más horas al día (hoursPerDay con set_probe_settings).`,
    NO_STRESS_POINT: () => 'Sin umbral de estrés no se puede prever ningún día de estrés.',
    THRESHOLDS_CROSSED: () =>
      'El punto de marchitez no está por debajo de la capacidad de campo, así que no se puede prever ningún día de estrés: mueva o borre una línea (update_annotation, delete_annotation).',
    FEW_DRY_DAYS: () =>
      'Las dos últimas semanas dejaron demasiado poco tiempo sin agua (tres días secos, o tres periodos de medio día) para prever un día de estrés.',
    NOT_DRYING: () =>
      'El suelo no se seca entre riegos, así que no se puede prever ningún día de estrés.',
  },
  staleData: (name, age, at) =>
    `Datos antiguos, así que no se aconseja nada: la última medida de humedad de ${name} es ${withDel(at)}, hace ${age}.`,
  needUnknown: (name) => `No se sabe cuánta agua necesita ${name}.`,
  noNeed: (name, at) =>
    `${name} no necesita agua: el suelo está a capacidad de campo o por encima, ${at}.`,
  negligibleDeficit: (name, mm, at) =>
    `${name} no necesita agua: le ${lackVerb(mm)} ${mm} mm para llegar a capacidad de campo, menos de lo que las medidas permiten asegurar, ${at}.`,
  deficit: (name, mm, at) =>
    `A ${name} le ${lackVerb(mm)} ${mm} mm en la zona mojada para llegar a capacidad de campo, ${at}.`,
  refill: (percent, amount, losses) =>
    `Para reponer ${percent === null ? 'todo' : `el ${percent} %`}, dé ${amount}, ${describeLosses(losses)}.`,
  split: (limit, each, isToday, furtherDays) =>
    `Con un máximo de ${limit} al día: ${each} ${isToday ? 'hoy' : 'esta noche'}, ${describeFurtherDays(each, furtherDays)}; a partir del segundo día, vuelva a mirar antes de regar.`,
  rainSuffices: (isExpected) =>
    `La lluvia ${isExpected ? 'esperada' : 'caída'} bastaría: por ahora no hay que dar nada.`,
  wholeArea: (mm) => `${mm} mm sobre toda la superficie`,
  inStress: 'El suelo ya está en el umbral de estrés o por debajo.',
  stressIn: (days) => `Al ritmo al que se seca, el suelo llegará al umbral de estrés en ${days}.`,
  stressInExpectedWeather: (days) =>
    `Con el tiempo esperado, el suelo llegará al umbral de estrés en ${days}.`,
  dryingPace: {
    newest: (points, text, count) =>
      `El suelo pierde ${formatPoints(points, text)} al día: media entre el último día seco y la mediana de ${spanishCount(count, 'día seco', 'días secos')} de las dos últimas semanas, comparados a las mismas horas.`,
    days: (points, text, count) =>
      `El suelo pierde ${formatPoints(points, text)} al día: mediana de ${spanishCount(count, 'día seco', 'días secos')} de las dos últimas semanas, comparados a las mismas horas.`,
    parts: (points, text, count) =>
      `El suelo pierde alrededor de ${formatPoints(points, text)} al día: mediana de ${count} periodos secos de las dos últimas semanas, la mayoría de menos de un día y calculados según su parte del sol del día.`,
  },
  nothingPlanned: (until) => `No hay nada previsto hasta ${until}.`,
  planned: ({ until, count, mm, next, zone }) =>
    `Previsto hasta ${until}: ${spanishCount(count, 'riego')}, ${mm === null ? 'de dosis desconocida' : `${mm} mm en total`}, ${next.isUnderWay ? 'uno en curso desde' : 'el siguiente'} ${next.at} (${zone}).`,
  readingAge: (age) => `Esto se apoya en una medida de hace ${age}.`,
  alreadyPlanned: 'Lo previsto ya lo aporta: no hay que añadir nada.',
  deficitDepth: (bottomCm) => `Este déficit es el de 0 a ${bottomCm} cm.`,
  slice: (topCm, bottomCm) => `de ${topCm} a ${bottomCm} cm`,
  withoutValue: (slices) => `Sin valor reciente ${slices}.`,
  withoutLayer: (slices) => `Sin capa de suelo ${slices}.`,
};

const MISSING_INPUTS: Record<MissingDoseReason, string> = {
  NO_INSTALLATION: 'del equipo',
  MISSING_FLOW_RATE: 'del caudal en mm/h',
  MISSING_IRRIGATED_AREA: 'de la superficie regada en m2',
};

export const spanishBriefPhrases: Language['brief'] = {
  noProbe:
    'Todavía no hay ninguna sonda: diga cuáles tiene y dónde (set_module las añade), o importe un archivo de la explotación.',
  allQuiet: (zone, nextWatering) =>
    `Todo está tranquilo (${zone}): que se sepa, ninguna sonda necesita hoy más agua de la prevista, ninguna alerta está disparada y todo transmite; ${nextWatering}.`,
  noNeed: 'Que se sepa, ninguna sonda necesita hoy más agua de la prevista.',
  more: (count) => `${count} más`,
  list: (rows, more) => (more > 0 ? [...rows, `y ${more} más`] : rows).join('; '),
  needs: (list) => `Para regar hoy: ${list}.`,
  valve: (parcel, dry, probes, driest) => `${parcel} (${dry} de ${probes} sondas: ${driest})`,
  atMoisture: (name, value) => `${name} con ${value} %`,
  neededTime: (today, total) =>
    `durante ${today}${total === null ? '' : ` hoy, de ${total} en total`}`,
  neededMm: (mm) => (mm === null ? 'con una cantidad todavía desconocida' : `con ${mm} mm`),
  beyondPlanned: (mm) =>
    `además de ${mm === null ? 'un riego de dosis desconocida previsto' : `los ${mm} mm previstos`} hoy`,
  underStress: 'en estrés',
  stressIn: (days) => `estrés en ${days}`,
  checkFirst: (list) => `Para revisar antes: ${list}.`,
  checks: {
    UNCONFIRMED_WATERING: '¿se hizo el riego previsto?',
    RECENT_WATERING: 'riego reciente',
    TOO_DRY_FOR_SOIL: 'valor demasiado bajo para el suelo',
    TOO_WET_FOR_SOIL: 'valor demasiado alto para el suelo',
    SENSOR_STUCK: 'valor bloqueado',
  },
  firing: (list) => `Alertas disparadas: ${list}.`,
  moisture: (value, oldAt) =>
    value === null
      ? 'humedad desconocida'
      : `${value} %${oldAt === null ? '' : ` ${withDel(oldAt)}`}`,
  threshold: (value) => `umbral ${value} %`,
  silentGateways: (list) => `Pasarelas sin transmitir: ${list}.`,
  silentProbes: (list) => `Sondas sin transmitir: ${list}.`,
  gateway: (imei, modules) => (modules === '' ? imei : `${imei} con ${modules}`),
  since: (at) => `desde ${at}`,
  noContact: 'sin ninguna transmisión',
  oneToConfirm: (at, name) => `¿Se hizo el riego previsto en ${name} ${at}? Espera confirmación.`,
  toConfirm: (count, list) => `${count} riegos esperan confirmación: ${list}.`,
  watering: (at, name, mm) => `${at} en ${name}${mm === null ? '' : `, ${mm} mm`}`,
  dosesMissing: (list) => `Dosis que faltan: ${list}.`,
  probeMissingDoses: (count, name, reason) =>
    `${count} en ${name} por falta ${MISSING_INPUTS[reason]}`,
  withoutStressPoint: (list) =>
    `Sin umbral de estrés con el que juzgar: ${list}; declare el suelo con set_soil_profile.`,
  crossedThresholds: (list) =>
    `Punto de marchitez no inferior a la capacidad de campo: ${list}; mueva o borre una línea (update_annotation, delete_annotation).`,
  tension: (name, value, dryLevel) =>
    `${name}, a ${value} kPa, por encima de su nivel seco de ${dryLevel} (cuanto más alto, más seco)`,
  withoutDryLevel: (list) =>
    `Sin nivel seco (cuanto más alto, más seco): ${list}; trácelo con create_annotation (chartType tensio, fill dry).`,
  tensionWithoutDryLevel: (name, value, from, to) =>
    `${name} a ${value} kPa${from === null ? '' : `, en un suelo que se suele regar entre ${from} y ${to} kPa`}`,
  nothingPlannedAhead: 'no hay nada previsto en las próximas 48 horas',
  ahead: (count, list) =>
    `hay ${count === 1 ? 'un riego previsto' : `${count} riegos previstos`} en las próximas 48 horas: ${list}`,
};

export const spanishOverview: Language['overview'] = {
  noProbe: (stations) =>
    `No hay ninguna sonda, solo ${spanishCount(stations, 'estación meteorológica', 'estaciones meteorológicas')}: set_module añade sondas.`,
  driest: (probes, list) =>
    probes === 1 ? `${list}.` : `Las más secas de las ${probes} sondas: ${list}.`,
  driestTension: (list) => `Las tensiones más altas, es decir, los suelos más secos: ${list}.`,
  noValue: (probes) =>
    probes === 1
      ? 'La única sonda no tiene ninguna medida reciente fiable.'
      : `Ninguna de las ${probes} sondas tiene una medida reciente fiable.`,
  moisture: (name, value) => `${name}, ${value} %`,
  tension: (name, value) => `${name}, ${value} kPa`,
  comfort: 'en confort',
  saturated: 'saturada',
  noNeed: 'Que se sepa, ninguna necesita hoy más agua de la prevista.',
  needs: (count, list) =>
    `${count === 1 ? 'Una necesita' : `${count} necesitan`} agua hoy: ${list}.`,
  next: (list) => `Después: ${list}.`,
  checkFirst: (list) => `Para revisar antes de regar: ${list}.`,
  firing: (list) => `Alertas disparadas: ${list}.`,
  silent: (list) => `Sin transmitir: ${list}.`,
  unjudged: (list) => `Sin umbral de estrés ni nivel seco con el que juzgar: ${list}.`,
  omittedProbes: (count) =>
    `Aquí no ${count === 1 ? 'aparece una sonda menos urgente' : `aparecen ${count} sondas menos urgentes`}.`,
};

const THOROUGH_WATERING =
  'Riegue una vez hasta que ya no suba ningún sensor y trace lo que retiene el suelo dos días después (create_annotation, fill threshold1).';

function countWettings(count: number): string {
  if (count === 0) return 'ningún aporte de agua llegó';
  return count === 1 ? 'solo un aporte de agua llegó' : `solo ${count} aportes de agua llegaron`;
}

export const spanishSuggestion: Language['suggestion'] = {
  drainedMoisture: (name, value, count, { least, most, isDoubtful }) =>
    `Una vez drenado, el suelo de ${name} retiene un ${value} %: es ${isDoubtful ? 'la' : 'su capacidad de campo,'} mediana de 24 a 48 horas después de ${count} aportes de agua que llegaron al sensor más profundo, ${least === most ? `todos con el ${least}` : `entre el ${least} y el ${most}`} %.`,
  wettings: (times, areMore, zone) =>
    `${areMore ? 'Últimas llegadas' : 'Llegadas'} del agua: ${times} (${zone}).`,
  tooLow: (inForce) =>
    `Es mucho menos que el ${inForce} % en vigor, así que no debe de ser la capacidad de campo: esos aportes fueron probablemente demasiado pequeños para llenar el suelo, o su textura está mal declarada. ${THOROUGH_WATERING}`,
  tooWide: `La diferencia es demasiado grande para una misma capacidad de campo: algunos aportes fueron probablemente demasiado pequeños para llenar el suelo. ${THOROUGH_WATERING}`,
  noSoilMoisture: (name) =>
    `Ningún sensor mide la humedad del suelo en ${name}: su capacidad de campo sigue sin conocerse.`,
  stressPoint: (value) => `Con ella, las plantas empiezan a sufrir con un ${value} %.`,
  noStressPoint:
    'Para el umbral de estrés hace falta también un punto de marchitez inferior: declare el suelo de su parcela con set_soil_profile.',
  offer: (value, exact, inForce) =>
    `${inForce === null ? 'No hay capacidad de campo en vigor' : `En vigor está el ${inForce} %`}: pregunte si debe contar el ${value} % y trácelo con create_annotation (h-line, fill threshold1, p1 [ahora en ms, ${exact}]).`,
  tooFew: (name, count, needed) =>
    `Las medidas no permiten saber la capacidad de campo de ${name}: en el último año ${countWettings(count)} desde arriba al sensor más profundo sin recibir más agua en dos días, y hacen falta ${needed}.`,
  unusedWettings: (reasons) => `Sin contar: ${reasons}.`,
  unusedReasons: {
    wateredAgain: (count) => `${count} con más agua en los dos días siguientes`,
    tooRecent: (count) => `${count} de hace menos de dos días`,
    gaps: (count) => `${count} con muy pocas medidas después`,
  },
  howToGetMore:
    'Riegue hasta que suba el sensor más profundo, espere dos días y vuelva a preguntar; o trace una capacidad de campo ya conocida.',
};
