import { englishCount, englishFormat } from './grammar.ts';

export const englishChartLabels = {
  format: englishFormat,
  measure: {
    moisture: 'Soil moisture, % by volume',
    air_humidity: 'Air humidity, %',
    temperature: 'Temperature, °C',
    tension: 'Tension, kPa',
  },
  fieldCapacity: ['Field', 'capacity'],
  stress: ['Stress', 'point'],
  alert: ['Alert', 'below'],
  comfort: 'comfort',
  watering: {
    each: 'watering, mm over the whole area',
    day: 'watering, mm a day over the whole area',
    week: 'watering, mm a week over the whole area',
    month: 'watering, mm a month over the whole area',
  },
  planned: 'planned',
  unknownDose: 'dose unknown',
  localTime: 'Local time',
  now: 'now',
  noData: 'No reading in this period',
  newest: 'newest',
  newestReading: 'newest reading',
  last: 'last',
  neverSent: 'no reading yet',
  depthUnit: 'cm',
  withAge: (age: string) => `${age} old`,
  age: (count: number, unit: 'minute' | 'hour' | 'day') => englishCount(count, unit),
  meanOver: (length: string) => `mean over ${length}`,
};
