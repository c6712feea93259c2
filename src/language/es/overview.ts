import type { Language } from '../en/index.ts';
import { spanishCount } from './grammar.ts';

export const spanishOverview: Language['overview'] = {
  noProbe: (stations) =>
    `No hay ninguna sonda, solo ${spanishCount(stations, 'estación meteorológica', 'estaciones meteorológicas')}: set_module añade sondas.`,
  driest: (probes, list) => (probes === 1 ? `${list}.` : `Las más secas de las ${probes} sondas: ${list}.`),
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
  needs: (count, list) => `${count === 1 ? 'Una necesita' : `${count} necesitan`} agua hoy: ${list}.`,
  next: (list) => `Después: ${list}.`,
  checkFirst: (list) => `Para revisar antes de regar: ${list}.`,
  firing: (list) => `Alertas disparadas: ${list}.`,
  silent: (list) => `Sin transmitir: ${list}.`,
  unjudged: (list) => `Sin umbral de estrés ni nivel seco con el que juzgar: ${list}.`,
  leftOut: (count) =>
    `Aquí no ${count === 1 ? 'aparece una sonda menos urgente' : `aparecen ${count} sondas menos urgentes`}.`,
};
