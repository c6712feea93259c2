import { quote } from '../../domain/text.ts';
import type { Language } from '../en/index.ts';

const HEADER_EXAMPLES =
  'Un archivo de lecturas tiene una línea de encabezado como "module,type,depth,time,value", o "time,humidity_10,temperature_10" para un solo módulo.';
const MEANINGS =
  'Un significado es time (fecha y hora), date (fecha), module, type, depth (profundidad), value (valor), unit (unidad), un sensor como humidity_10 o "temperatura del suelo 20 cm", con su unidad si es otra ("humidity_10 (m3/m3)"), una profundidad como "30 cm", o ignore.';

const WHY_UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'ese archivo no existe',
  EISDIR: 'es una carpeta',
  EACCES: 'sus permisos no lo permiten',
};

export const spanishFileFaults: Language['fileFaults'] = {
  unreadable: (file, code) => ({
    message: `No se puede leer ${quote(file)}: ${WHY_UNREADABLE[code] ?? `falló la lectura (${code})`}.`,
    hint: 'No se ha importado nada de él. Compruebe su ruta y sus permisos.',
  }),
  notText: () => ({
    message: 'El archivo no es texto.',
    hint: 'Guárdelo como CSV en UTF-8 e importe ese archivo.',
  }),
  lineTooLong: (afterLine, maxLength) => ({
    message: `Una línea después de la línea ${afterLine} tiene más de ${maxLength} caracteres.`,
    hint: 'acequia import --help describe las dos formas de los archivos de lecturas.',
  }),
  empty: () => ({
    message: 'El archivo está vacío.',
    hint: 'Un archivo de lecturas empieza con una línea de encabezado.',
  }),
  headerTooLong: (maxLength) => ({
    message: `El encabezado tiene más de ${maxLength} caracteres.`,
    hint: HEADER_EXAMPLES,
  }),
  tooManyColumns: (count, max) => ({
    message: `El encabezado tiene ${count} columnas, y se leen ${max} como máximo.`,
    hint: 'Divida el archivo en varios con menos columnas, o escríbalo como module,type,depth,time,value.',
  }),
  noExportHeader: (provider) => ({
    message: `Ninguna línea es el encabezado de una exportación de ${provider}.`,
    hint: 'Quite --profile: una exportación conocida se reconoce. Para otro archivo, diga con --map qué son sus columnas.',
  }),
  noTimeColumn: (columns, option) => ({
    message: `Ninguna columna del encabezado da la fecha y la hora: ${columns}.`,
    hint: `${HEADER_EXAMPLES} O diga cuál es con ${option} "NOMBRE=time".`,
  }),
  noSensorColumn: (columns, option, example) => ({
    message: `Ninguna columna designa un sensor: ${columns}.`,
    hint: `Nombre las columnas por el tipo y la profundidad en cm, como humidity_10, o diga qué son con ${option} "${example}".`,
  }),
  noDepth: (inputs, option, example) => ({
    message: `El archivo no indica la profundidad de ${inputs}.`,
    hint: `Indíquela para cada sensor que se deba leer, como ${option} "${example}=30 cm".`,
  }),
  lacksColumns: (lacking, columns) => ({
    message: `Al encabezado le falta ${lacking}: ${columns}.`,
    hint: 'Un archivo con una lectura por fila tiene las columnas module,type,depth,time,value; depth está vacía para un sensor sin profundidad.',
  }),
  columnTwice: (column) => ({
    message: `El encabezado tiene dos veces la columna ${column}.`,
    hint: 'Cambie el nombre de una de ellas.',
  }),
  sensorTwice: (column, option) => ({
    message: `La columna ${column} designa el sensor de otra columna.`,
    hint: `Cambie el nombre de una de ellas, o déjela sin leer con ${option} "NOMBRE=ignore".`,
  }),
  noMeaning: (entry, option) => ({
    message: `${option} ${quote(entry)} no dice qué es una columna.`,
    hint: `Escriba NOMBRE=SIGNIFICADO, separados por ; si son varios. ${MEANINGS}`,
  }),
  otherUnit: (column, option) => ({
    message: `${column} tiene una unidad que no se lee.`,
    hint: `Indique la unidad de sus valores en ${option}, como «NAME=tension_20 (kPa)»; se leen kPa, cbar, hPa, bar, MPa, cmH2O, %, m3/m3, °C y °F.`,
  }),
  depthAlone: (column, option) => ({
    message: `${option} da una profundidad a ${column}, pero su nombre no dice qué mide.`,
    hint: `Escriba ambas cosas en ${option}: el nombre, = y, por ejemplo, humidity_10, o con unidad "humidity_10 (%)".`,
  }),
  noSuchColumn: (column, columns, option) => ({
    message: `El archivo no tiene la columna ${column}: ${columns}.`,
    hint: `Escriba el nombre en ${option} como en el encabezado.`,
  }),
  noModule: (option) => ({
    message: 'Este archivo, con una columna por sensor, no dice de qué módulo son las lecturas.',
    hint: `Añada ${option}: la sonda o la estación de la que vienen todas las lecturas.`,
  }),
  moduleInRows: (option, mapOption, column) => ({
    message: 'Este archivo de lecturas nombra un módulo en cada fila.',
    hint: `Quite ${option}, o deje la columna sin leer con ${mapOption} "${column}=ignore".`,
  }),
  unknownModule: (name, known) => ({
    message: `Ningún módulo se llama ${quote(name)}.`,
    hint:
      known === ''
        ? 'Importe primero un archivo de la finca: declara los módulos.'
        : `Existen ${known}.`,
  }),
  severalModules: (name, modules, option, id) => ({
    message: `${quote(name)} puede designar varios módulos: ${modules}.`,
    hint: `Dé el identificador con # delante en ${option}, como "#${id}".`,
  }),
  ambiguousDates: (example, option) => ({
    message: `Las fechas como ${quote(example)} se pueden leer de dos maneras, y ningún día mayor que 12 en las primeras filas dice cuál.`,
    hint: `Dígalo con ${option}: dmy si el día va primero, mdy si va el mes.`,
  }),
  swappedDates: (one, other, either) => ({
    message: `Las líneas ${one.line} y ${other.line} escriben las fechas de dos maneras, ${quote(one.text)} y ${quote(other.text)}: quizá una hoja de cálculo cambió el día por el mes donde ambos llegan hasta 12${either === '' ? '' : ` (${either})`}, desde la línea ${one.line}.`,
    hint: 'Exporte de nuevo el archivo sin abrirlo antes en una hoja de cálculo, o escriba todas sus fechas de la misma manera, como 2025-01-31.',
  }),
  skippedHour: ({ line, text: time }, zone, [winter, summer], option) => ({
    message: `La línea ${line} tiene la hora ${quote(time)}, que no existe en ${zone} (cambio al horario de verano): quizá el reloj del archivo sea el mismo todo el año, y otras filas quedarían desplazadas una hora.`,
    hint: `Diga cuál con ${option}: ${winter} si marca el horario de invierno todo el año, ${summer} si marca el de verano.`,
  }),
  hourNotRepeated: (day, zone, [winter, summer], option) => ({
    message: `Las filas del ${day} no repiten la hora que repiten los relojes de ${zone}: quizá el del archivo sea el mismo todo el año, y una parte de las filas quedaría desplazada una hora.`,
    hint: `Diga cuál con ${option}: ${winter} si marca el horario de invierno todo el año, ${summer} si marca el de verano, ${zone} si se atrasa y falta esa hora.`,
  }),
  mayBeFraction: (columns, more, option, map) => ({
    message: `Ningún valor de ${columns}${more > 0 ? ` y ${more} más` : ''} es mayor que 1: pueden ser m3/m3 y no %, así que no se guardó nada.`,
    hint: `Diga la unidad con ${option} ${map}, o con (%) en lugar de (m3/m3) si los valores son porcentajes.`,
  }),
  /** Empty columns: all of them are known. */
  dailyWeather: (columns) => ({
    message:
      columns === ''
        ? 'Esto es el tiempo por días, no lecturas de un sensor.'
        : `Esto es el tiempo por días, con columnas desconocidas: ${columns}.`,
    hint:
      columns === ''
        ? 'Impórtelo desde un archivo: acequia import weather.csv.'
        : 'El tiempo por días tiene date, parcel, rain, tmin, tmax, rhmin, rhmax, dewpoint, u2 (viento a 2 m) y srad, con la unidad entre paréntesis si es otra: renombre o quite las demás.',
  }),
  noWeatherHeader: () => ({
    message: 'El archivo no tiene un encabezado de meteorología diaria.',
    hint: 'Nombre sus columnas date y rain (lluvia), tmin, tmax, rhmin, rhmax, u2 o srad.',
  }),
};
