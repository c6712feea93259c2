import type { Language } from '../../en/index.ts';
import { spanishCount } from '../grammar.ts';

export const spanishInterview: Language['interview'] = {
  begin:
    'Acequia pregunta por su finca. Intro acepta el valor entre corchetes, «<» vuelve a la pregunta anterior y Ctrl-C termina sin escribir nada.',
  yesOrNo: (isDefaultYes) => (isDefaultYes ? '[S/n]' : '[s/N]'),
  none: ['ninguno', 'ninguna', 'n', 'no'],
  firstQuestion: 'Esta es la primera pregunta.',
  continueDraft: (farm, answers) =>
    `Hay un borrador de «${farm}» con ${spanishCount(answers, 'respuesta')}. ¿Continuar con él?`,
  draftKept: (command) => `Sus respuestas se conservan: ${command} continúa con ellas.`,
  ended: (question) => `Las respuestas terminaron en «${question}».`,
  nothingWritten: 'No se ha escrito nada.',
  notAnAnswer: (answer, question) => `«${answer}» no responde a «${question}».`,
  expected: {
    answer: () => 'Dé una respuesta: es necesaria.',
    shortName: () => 'Dé un nombre de 200 caracteres como máximo.',
    otherParcel: (name) => `Dé otro: ya hay una parcela «${name}».`,
    otherProbe: (name) => `Dé otro: ya hay una sonda «${name}».`,
    country: () => 'Dé un país, por ejemplo España o ES.',
    zone: (example) => `Dé un huso horario, por ejemplo ${example}.`,
    zoneOfPlace: (places) => `Dé el huso de un lugar: ${places}.`,
    email: () => 'Dé una dirección de correo.',
    text: (length) => `Dé ${length} caracteres como máximo.`,
    oneOf: (names) => `Dé una de estas palabras: ${names}.`,
    depths: () => 'Dé profundidades en cm, por ejemplo 10, 30.',
    measurement: () => 'Dé humedad o tensión.',
    texture: () => 'Dé una textura, por ejemplo franco o franco arenoso.',
    date: () => 'Dé una fecha, por ejemplo 15/3/2025, marzo de 2025 o 2024.',
    pastDate: () => 'Dé una fecha que no esté en el futuro.',
    quantity: (example) => `Dé una cantidad, por ejemplo ${example}.`,
    emitters: (example) =>
      `Dé los emisores por m2, por ejemplo 2, o los dos marcos, por ejemplo ${example}.`,
  },
  holdsFarm: (store, farm) => ({
    message: `${store} ya contiene la finca «${farm}».`,
    hint: 'Diga al asistente qué debe cambiar, o importe un archivo de finca. Para otra finca, nombre otro almacén con --db.',
  }),
  storeFails: (store, command) =>
    `El almacén ${store} no se puede usar: «${command}» dice por qué.`,
  refused: (code) => `Se ha rechazado (${code}). Con --lang en se ve el motivo, en inglés.`,
  figures: {
    emitterFlowLph: 'el caudal de un emisor',
    emittersPerM2: 'el número de emisores por m2',
    emitterSpacingM: 'el marco entre emisores',
    lineSpacingM: 'el marco entre líneas',
    flowMmPerH: 'la pluviometría',
    irrigatedAreaM2: 'la superficie regada',
  },
  implausible: ({ figure, value, rate, meant }) =>
    `Ningún equipo es así: ${figure} es de ${value}${rate === null ? '' : `, lo que da ${rate}`}. ${meant === null ? 'Dé otra cifra.' : `Si son ${meant}, delo con esa unidad.`}`,
  farmName: 'Nombre de la finca: ',
  country: 'País',
  countryOrNone: 'País (Intro para omitirlo): ',
  timeZone: 'Huso horario',
  email: 'Su dirección de correo, para las alertas (Intro para omitirla): ',
  userName: 'Su nombre: ',
  firstParcel: 'Nombre de una parcela (Intro si no hay): ',
  nextParcel: 'Nombre de la parcela siguiente (Intro si era la última): ',
  crop: '  Cultivo, por ejemplo olivo (Intro para omitirlo): ',
  system:
    '  Riego: goteo, microaspersión, aspersión, pivot, gravedad, manual u otro (Intro si no hay): ',
  emitterFlow: (example) => `  Caudal de un emisor, por ejemplo ${example} (Intro si no se sabe): `,
  emitters: (example) =>
    `  Emisores por m2, o su marco, por ejemplo ${example} (Intro si no se sabe): `,
  rate: (example) => `  Pluviometría, por ejemplo ${example} (Intro si no se sabe): `,
  area: (example) => `  Superficie regada, por ejemplo ${example} (Intro si no se sabe): `,
  soil: '  Suelo, por ejemplo franco o franco arenoso (Intro si no se sabe): ',
  roots: (example) => `  Profundidad de las raíces, por ejemplo ${example} (Intro si no se sabe): `,
  firstProbe: (isOnParcel) =>
    `Nombre de una sonda${isOnParcel ? ' de la parcela' : ''} (Intro si no hay): `,
  nextProbe: (isOnParcel) =>
    `Nombre de la sonda siguiente${isOnParcel ? ' de la parcela' : ''} (Intro si era la última): `,
  measures: '  Mide humedad o tensión',
  moisture: 'humedad',
  depths: '  Profundidades de sus sensores',
  number: '  Número que lleva la sonda o que envía',
  since: '  Enterrada desde, por ejemplo 15/3/2025 (Intro si no se sabe): ',
  rateUnknown: 'pluviometría desconocida',
  rootsTo: (depth) => `raíces ${depth}`,
  on: (area) => `en ${area}`,
  at: (depths) => `a ${depths}`,
  numbered: (number) => `número «${number}»`,
  installedOn: (date) => `desde ${date}`,
  write: (store) => `¿Escribir esta finca en ${store}?`,
  farmWritten: (farm, store, parcels, probes) =>
    `«${farm}» está en ${store}: ${spanishCount(parcels, 'parcela')}, ${spanishCount(probes, 'sonda')}.`,
  notStored: (command) =>
    `La finca no se ha podido escribir. Sus respuestas, para importarlas después con ${command}:`,
  saveAsFile:
    '¿Guardarla también como archivo de finca, para cambiarla e importarla de nuevo? Nombre del archivo (Intro si no): ',
  fileWritten: (file) => `${file}: escrito.`,
  fileExists: (file) => `${file} ya existe.`,
  fileOfStore: (file) => `«${file}» es un archivo de un almacén.`,
  fileFails: (file, code) => `${file} no se puede escribir (${code}).`,
  noAssistant: (command) =>
    `No se ha encontrado ningún asistente. Cuando haya uno instalado: ${command}`,
  connect: (assistants) => `Conectar un asistente (${assistants}, o ninguno)`,
  connectLater: (command) => `Para conectar un asistente más tarde: ${command}`,
  keepOn: (kind, sendsMail) =>
    `${sendsMail ? 'Las alertas se comprueban y el correo se envía' : 'Las alertas se comprueban'} solo mientras Acequia funciona. ¿Mantenerla en segundo plano (${kind})?`,
  onWhileOpen: (serve, install, sendsMail) =>
    `${sendsMail ? 'Las alertas se comprueban y el correo se envía' : 'Las alertas se comprueban'} mientras está abierto un asistente o «${serve}». «${install}» mantiene Acequia en marcha.`,
  bringReadings: 'Para traer lecturas:',
  mail: 'Para el correo de las alertas:',
  say: 'Dígale al asistente:',
  wateredProbe: (probe) => `He regado ${probe} 45 minutos, esta mañana a las seis.`,
  twoProbes: 'Tengo dos sondas en los olivos.',
};
