import type { Language } from '../en/index.ts';
import { spanishCount, spanishFormat } from './grammar.ts';

export const spanishRain: Language['rain'] = {
  place: (parcel) => (parcel === null ? 'en toda la explotación' : `en ${parcel}`),
  details: (mm, place, when, gauge) =>
    `${mm} mm ${place}, ${when}${gauge === null ? '' : `, medidos por ${gauge}`}`,
  logged: (details) => `Lluvia anotada: ${details}.`,
  corrected: (id, details, was) =>
    `El registro de lluvia ${id} es ahora de ${details}${was === null ? '' : `; era de ${was} mm`}.`,
  takenBack: (id, was) =>
    `El registro de lluvia ${id} queda anulado${was === null ? '' : `: sus ${was} mm ya no cuentan`}.`,
  countedOnce: ({ id, others, mm, isNewCounted, total }) => {
    const records =
      others === 0 ? `El registro ${id} ya tenía` : `El registro ${id} y ${others} más ya tenían`;
    return isNewCounted
      ? `${records} ${mm} mm ese día: no se suman, cuenta este, ${total} mm en el día.`
      : `${records} ${mm} mm ese día, y son los que cuentan: este no se les suma. Si es el dato bueno, anótelo para el día entero.`;
  },
  notCounted: (ids, others) =>
    ids.length === 1
      ? `El registro ${ids[0]} no cuenta: otro ya tiene esa lluvia.`
      : `Los registros ${ids.join(', ')}${others > 0 ? ` y ${others} más` : ''} no cuentan: otros ya tienen esa lluvia.`,
  before: (mm) => `Antes eran ${mm} mm.`,
  none: 'No hay lluvia anotada para eso.',
  total: (mm, days, place) => `${mm} mm en ${spanishCount(days, 'día')} ${place}`,
  list: (places, more, newest) =>
    `Lluvia anotada: ${places.join('; ')}${more > 0 ? `; y ${spanishCount(more, 'parcela más', 'parcelas más')}` : ''}. La más reciente: ${newest}.`,
  page: (count, newest) =>
    `${spanishCount(count, 'anotación', 'anotaciones')} de lluvia, la más reciente: ${newest}.`,
  row: (mm, day, parcel) => `${mm} mm (${day}${parcel === null ? '' : `, ${parcel}`})`,
  recentRain: {
    shown: (mm) =>
      `Acaban de caer ${mm} mm de lluvia. La humedad sube desde entonces: las medidas ya la incluyen y no se cuenta dos veces. Vuelva a preguntar cuando se haya infiltrado.`,
    unseen: (mm) =>
      `Puede que ${mm} mm de lluvia no hayan llegado todavía a los sensores: vuelva a preguntar cuando se hayan infiltrado.`,
    counted: (mm, effectiveMm, percent) =>
      `Puede que ${mm} mm de lluvia no hayan llegado todavía a los sensores: ${effectiveMm} mm se descuentan de lo que falta (como mucho el ${percent} %; el resto se evapora o escurre). Vuelva a preguntar cuando se hayan infiltrado.`,
  },
  inReadings: (mm, effectiveMm, percent, since) =>
    `${mm} mm de lluvia ${since === null ? 'en las dos últimas semanas' : `desde el último riego (${since})`}, unos ${effectiveMm} mm para las raíces (${percent} %): las medidas ya los incluyen y no se descuentan otra vez.`,
  beside: (places, more) =>
    `Lluvia anotada en el mismo periodo: ${places.join('; ')}${more > 0 ? `; y ${spanishCount(more, 'parcela más', 'parcelas más')}` : ''}.`,
  lastDays: (days, places, more) =>
    `Lluvia de los últimos ${days} días: ${places.join('; ')}${more > 0 ? `; y ${spanishCount(more, 'parcela más', 'parcelas más')}` : ''}.`,
  fell: (mm, days) => `Lluvia: ${mm} mm en ${spanishCount(days, 'día')}.`,
  recent: (rows) => `Lluvia: ${rows.join(', ')}.`,
};

const INPUTS = {
  temperature: 'temperatura',
  humidity: 'humedad',
  wind: 'viento',
  radiation: 'radiación',
} as const;

const PACE_PERIODS = {
  forecast: 'los próximos días, según la previsión',
  recent: 'los tres últimos días',
} as const;

export const spanishWeather: Language['weather'] = {
  method: (method, missing) =>
    method === 'penman_monteith'
      ? 'Penman-Monteith FAO-56'
      : `Hargreaves, sin ${spanishFormat.list(missing.map((each) => INPUTS[each]))}`,
  demandPace: {
    forecast: (percent, coming, last) =>
      `Los días hasta el estrés suponen un suelo que se seca al ${percent} % del ritmo de las dos últimas semanas: la previsión da una evapotranspiración de referencia de ${coming} mm al día, tras ${last} mm.`,
    recent: (percent, coming, last, method) =>
      `Los días hasta el estrés suponen un suelo que se seca al ${percent} % del ritmo de las dos últimas semanas, como en los tres últimos días: su evapotranspiración de referencia fue de ${coming} mm al día, tras ${last} mm (${method}).`,
  },
  forecastRain: ({ mm, ahead, weekday, probability, isCounted }) =>
    `${mm} mm de lluvia previstos ${ahead === 0 ? 'para hoy' : `hasta ${ahead === 1 ? 'mañana' : `el ${weekday}`}`}${probability === null ? '' : ` (${probability} %)`}${isCounted ? '' : ', que aquí no cuentan: esperar o regar, usted decide'}.`,
  needless: ({ probes, rain, effective, needed, planned, at, since, eventId }) =>
    `¿Omitir los ${planned} mm previstos ${at} para ${probes}? Con ${rain} mm de lluvia ${since === null ? 'en tres días' : `desde el riego (${since})`}, ${effective} mm de ellos para las raíces, ${needed === null ? 'no queda nada por aportar' : `quedan ${needed} mm por aportar`}. El riego sigue previsto mientras usted no lo omita (riego ${eventId}, correct_watering).`,
  evapotranspiration: (mm, days, method, pace) =>
    `Evapotranspiración de referencia: ${mm} mm al día ${days === 1 ? 'en un día' : `en los últimos ${days} días`} (${method})${pace === null ? '' : `; ${PACE_PERIODS[pace.basis]}, el ${pace.percent} % de las dos últimas semanas`}.`,
};
