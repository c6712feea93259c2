import type { Language } from '../en/index.ts';
import { spanishCount, spanishFormat } from './grammar.ts';

export const spanishChartLabels: Language['chartLabels'] = {
  format: spanishFormat,
  measure: {
    moisture: 'Humedad del suelo, % en volumen',
    air_humidity: 'Humedad del aire, %',
    temperature: 'Temperatura, °C',
    tension: 'Tensión, kPa (cuanto más alto, más seco)',
  },
  fieldCapacity: ['Capacidad', 'de campo'],
  stress: ['Umbral de', 'estrés'],
  wetLevel: ['Nivel', 'húmedo'],
  dryLevel: ['Nivel', 'seco'],
  alert: ['Alerta', 'bajo'],
  comfort: 'confort',
  watering: {
    each: 'riego, mm en toda la superficie',
    day: 'riego, mm por día en toda la superficie',
    week: 'riego, mm por semana en toda la superficie',
    month: 'riego, mm por mes en toda la superficie',
  },
  planned: 'previsto',
  unknownDose: 'dosis desconocida',
  localTime: 'Hora local',
  now: 'ahora',
  noData: 'Ninguna medida en este periodo',
  newest: 'último valor',
  newestReading: 'última medida',
  last: 'al final',
  neverSent: 'ninguna medida hasta hoy',
  depthUnit: 'cm',
  withAge: (age) => `hace ${age}`,
  age: (count, unit) => spanishCount(count, { minute: 'minuto', hour: 'hora', day: 'día' }[unit]),
  meanOver: (length) => `media de ${length}`,
};
