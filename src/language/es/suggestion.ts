import type { Language } from '../en/index.ts';

export const spanishSuggestion: Language['suggestion'] = {
  capacity: (name, value, count, { least, most }) =>
    `Una vez drenado, el suelo de ${name} retiene un ${value} %: es su capacidad de campo, mediana de 24 a 48 horas después de ${count} aportes de agua que llegaron al sensor más profundo, entre el ${least} y el ${most} %.`,
  wettings: (times, areMore, zone) => `El agua llegó ${times}${areMore ? ' y antes' : ''} (${zone}).`,
  stressPoint: (value) => `Con ella, las plantas empiezan a sufrir con un ${value} %.`,
  noStressPoint:
    'Para el umbral de estrés hace falta también un punto de marchitez inferior: declare el suelo de su parcela con set_soil_profile.',
  offer: (value, exact, inForce) =>
    `${inForce === null ? 'No hay capacidad de campo en vigor' : `En vigor está el ${inForce} %`}: pregunte si debe contar el ${value} % y trácelo con create_annotation (h-line, fill threshold1, p1 [ahora en ms, ${exact}]).`,
  tooFew: (name, count, needed) =>
    `Las medidas no permiten saber la capacidad de campo de ${name}: en el último año ${count === 0 ? 'ningún aporte de agua llegó' : count === 1 ? 'solo un aporte de agua llegó' : `solo ${count} aportes de agua llegaron`} al sensor más profundo sin recibir más agua en dos días, y hacen falta ${needed}.`,
  unusedWettings: (reasons) => `Sin contar: ${reasons}.`,
  unused: {
    wateredAgain: (count) => `${count} con más agua en los dos días siguientes`,
    tooRecent: (count) => `${count} de hace menos de dos días`,
    gaps: (count) => `${count} con muy pocas medidas después`,
  },
  howToGetMore:
    'Riegue hasta que suba el sensor más profundo, espere dos días y vuelva a preguntar; o trace una capacidad de campo ya conocida.',
};
