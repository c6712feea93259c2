import type { Language } from '../en/index.ts';
import { spanishFormat } from './grammar.ts';

const INPUTS = { temperature: 'temperatura', humidity: 'humedad', wind: 'viento', radiation: 'radiación' } as const;

export const spanishWeather: Language['weather'] = {
  method: (method, missing) =>
    method === 'penman_monteith'
      ? 'Penman-Monteith FAO-56'
      : `Hargreaves, sin ${spanishFormat.list(missing.map((each) => INPUTS[each]))}`,
  demandPace: {
    forecast: (percent, coming, last) =>
      `Los días hasta el estrés cuentan con un suelo que se seca al ${percent} % del ritmo de las dos últimas semanas: la previsión da una evapotranspiración de referencia de ${coming} mm al día, tras ${last} mm.`,
    recent: (percent, coming, last, method) =>
      `Los días hasta el estrés cuentan con un suelo que se seca al ${percent} % del ritmo de las dos últimas semanas, como en los tres últimos días: su evapotranspiración de referencia fue de ${coming} mm al día, tras ${last} mm (${method}).`,
  },
  forecastRain: (mm, ahead, weekday, probability, isCounted) =>
    `${mm} mm de lluvia previstos ${ahead === 0 ? 'para hoy' : `hasta ${ahead === 1 ? 'mañana' : `el ${weekday}`}`}${probability === null ? '' : ` (${probability} %)`}${isCounted ? '' : ', que aquí no cuentan: esperar o regar, usted decide'}.`,
  needless: ({ probes, rain, effective, needed, planned, at, since, eventId }) =>
    `¿Omitir los ${planned} mm previstos ${at} para ${probes}? Con ${rain} mm de lluvia ${since === null ? 'en tres días' : `desde el riego (${since})`}, ${effective} mm de ellos para las raíces, ${needed === null ? 'no queda nada por aportar' : `quedan ${needed} mm por aportar`}. El riego sigue previsto mientras usted no lo omita (riego ${eventId}, correct_watering).`,
  evapotranspiration: (mm, days, method, pace) =>
    `Evapotranspiración de referencia: ${mm} mm al día ${days === 1 ? 'en un día' : `en los últimos ${days} días`} (${method})${
      pace === null
        ? ''
        : pace.basis === 'forecast'
          ? `; los próximos días, según la previsión, el ${pace.percent} % de las dos últimas semanas`
          : `; los tres últimos días, el ${pace.percent} % de las dos últimas semanas`
    }.`,
};
