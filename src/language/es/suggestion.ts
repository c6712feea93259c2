import type { Language } from '../en/index.ts';

const THOROUGH_WATERING =
  'Riegue una vez hasta que ya no suba ningún sensor y trace lo que retiene el suelo dos días después (create_annotation, fill threshold1).';

export const spanishSuggestion: Language['suggestion'] = {
  held: (name, value, count, { least, most, isDoubtful }) =>
    `Una vez drenado, el suelo de ${name} retiene un ${value} %: es ${isDoubtful ? 'la' : 'su capacidad de campo,'} mediana de 24 a 48 horas después de ${count} aportes de agua que llegaron al sensor más profundo, ${least === most ? `todos con el ${least}` : `entre el ${least} y el ${most}`} %.`,
  wettings: (times, areMore, zone) => `${areMore ? 'Últimas llegadas' : 'Llegadas'} del agua: ${times} (${zone}).`,
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
    `Las medidas no permiten saber la capacidad de campo de ${name}: en el último año ${count === 0 ? 'ningún aporte de agua llegó' : count === 1 ? 'solo un aporte de agua llegó' : `solo ${count} aportes de agua llegaron`} desde arriba al sensor más profundo sin recibir más agua en dos días, y hacen falta ${needed}.`,
  unusedWettings: (reasons) => `Sin contar: ${reasons}.`,
  unused: {
    wateredAgain: (count) => `${count} con más agua en los dos días siguientes`,
    tooRecent: (count) => `${count} de hace menos de dos días`,
    gaps: (count) => `${count} con muy pocas medidas después`,
  },
  howToGetMore:
    'Riegue hasta que suba el sensor más profundo, espere dos días y vuelva a preguntar; o trace una capacidad de campo ya conocida.',
};
