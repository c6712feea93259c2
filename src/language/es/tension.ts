import type { Language } from '../en/index.ts';

export const spanishTension: Language['tension'] = {
  noReading: (name) => `El estado de ${name} es desconocido: no tiene medidas de tensión.`,
  reading: (value, at) => `${value} kPa ${at}`,
  staleData: (name, age, reading) =>
    `Datos antiguos, así que el estado de ${name} es desconocido: su última tensión es de hace ${age}, ${reading}.`,
  tooDry: ({ name, reading, dry }) =>
    `${name} está demasiado seco: ${reading}, por encima de su nivel seco de ${dry} kPa (cuanto más alto, más seco).`,
  tooWet: ({ name, reading, wet }) =>
    `${name} está saturado: ${reading}, por debajo de su nivel húmedo de ${wet} kPa (cuanto más alto, más seco).`,
  comfort: ({ name, reading, wet, dry }) =>
    `${name} está en confort: ${reading}, entre su nivel húmedo de ${wet} y su nivel seco de ${dry} kPa (cuanto más alto, más seco).`,
  notDry: ({ name, reading, dry }) =>
    `${name} no está demasiado seco: ${reading}, no supera su nivel seco de ${dry} kPa (cuanto más alto, más seco). No hay nivel húmedo trazado.`,
  notWet: ({ name, reading, wet }) =>
    `${name} no está saturado: ${reading}, no baja de su nivel húmedo de ${wet} kPa (cuanto más alto, más seco). No se sabe si está demasiado seco, porque no hay nivel seco trazado.`,
  noLevels: ({ name, reading }) =>
    `${name} marca ${reading}; cuanto más alto, más seco. No se sabe si es demasiado seco, porque no hay niveles trazados.`,
  crossedLevels: ({ name, reading, wet, dry }) =>
    `${name} marca ${reading}; cuanto más alto, más seco. Pero su nivel húmedo de ${wet} kPa no está por debajo de su nivel seco de ${dry} kPa: corrija uno con update_annotation.`,
  waterNow: 'Riegue ahora.',
  notYet: 'Todavía no hace falta regar.',
  typical: (texture, { wet, from, to }) =>
    `Habitual en ${texture.toLowerCase()}: regar entre ${from} y ${to} kPa, saturado por debajo de ${wet} kPa; depende del cultivo.`,
  drawLevels:
    'Pregunte qué niveles valen y trácelos con create_annotation: chartType tensio, type h-line, fill dry (seco) o wet (húmedo).',
  unknownSoil:
    'Los niveles habituales dependen del suelo: se proponen en cuanto se declara la textura de su parcela (set_soil_profile).',
};
