import { argument } from '../../domain/text/program-names.ts';
import { isEmpty, quotedName, say, verbatim } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { localDay } from '../../domain/text/times.ts';
import type { Language } from '../en/index.ts';

const HEADER_EXAMPLES = say`Un archivo de lecturas tiene una línea de encabezado como "module,type,depth,time,value", o "time,humidity_10,temperature_10" para un solo módulo.`;
const MEANINGS = say`Un significado es time (fecha y hora), date (fecha), module, type, depth (profundidad), value (valor), unit (unidad), un sensor como humidity_10 o "temperatura del suelo 20 cm", con su unidad si es otra ("humidity_10 (m3/m3)"), una profundidad como "30 cm", o ignore.`;

const WHY_UNREADABLE: Readonly<Record<string, Text>> = {
  ENOENT: say`ese archivo no existe`,
  EISDIR: say`es una carpeta`,
  EACCES: say`sus permisos no lo permiten`,
  NOT_A_FILE: say`es una tubería o un dispositivo; páselo por la entrada estándar, con - como archivo`,
};

export const spanishFileFaults: Language['fileFaults'] = {
  unreadable: (file, code) => ({
    message: say`No se puede leer ${quotedName(file)}: ${WHY_UNREADABLE[code] ?? say`falló la lectura (${verbatim(code)})`}.`,
    hint: say`No se ha importado nada de él. Compruebe su ruta y sus permisos.`,
  }),
  notText: () => ({
    message: say`El archivo no es texto.`,
    hint: say`Guárdelo como CSV en UTF-8 e importe ese archivo.`,
  }),
  lineTooLong: (afterLine, maxLength) => ({
    message: say`Una línea después de la línea ${afterLine} tiene más de ${maxLength} caracteres.`,
    hint: say`acequia import --help describe las dos formas de los archivos de lecturas.`,
  }),
  empty: () => ({
    message: say`El archivo está vacío.`,
    hint: say`Un archivo de lecturas empieza con una línea de encabezado.`,
  }),
  headerTooLong: (maxLength) => ({
    message: say`El encabezado tiene más de ${maxLength} caracteres.`,
    hint: HEADER_EXAMPLES,
  }),
  tooManyColumns: (count, max) => ({
    message: say`El encabezado tiene ${count} columnas, y se leen ${max} como máximo.`,
    hint: say`Divida el archivo en varios con menos columnas, o escríbalo como module,type,depth,time,value.`,
  }),
  noExportHeader: (provider) => ({
    message: say`Ninguna línea es el encabezado de una exportación de ${verbatim(provider)}.`,
    hint: say`Quite --profile: una exportación conocida se reconoce. Para otro archivo, diga con --map qué son sus columnas.`,
  }),
  noTimeColumn: (columns, option) => ({
    message: say`Ninguna columna del encabezado da la fecha y la hora: ${verbatim(columns)}.`,
    hint: say`${HEADER_EXAMPLES} O diga cuál es con ${argument(option)} "NOMBRE=time".`,
  }),
  noSensorColumn: (columns, option, example) => ({
    message: say`Ninguna columna designa un sensor: ${verbatim(columns)}.`,
    hint: say`Nombre las columnas por el tipo y la profundidad en cm, como humidity_10, o diga qué son con ${argument(option)} "${verbatim(example)}".`,
  }),
  noDepth: (inputs, option, example) => ({
    message: say`El archivo no indica la profundidad de ${verbatim(inputs)}.`,
    hint: say`Indíquela para cada sensor que se deba leer, como ${argument(option)} "${verbatim(example)}=30 cm".`,
  }),
  lacksColumns: (lacking, columns) => ({
    message: say`Al encabezado le falta ${verbatim(lacking)}: ${verbatim(columns)}.`,
    hint: say`Un archivo con una lectura por fila tiene las columnas module,type,depth,time,value; depth está vacía para un sensor sin profundidad.`,
  }),
  columnTwice: (column) => ({
    message: say`El encabezado tiene dos veces la columna ${verbatim(column)}.`,
    hint: say`Cambie el nombre de una de ellas.`,
  }),
  sensorTwice: (column, option) => ({
    message: say`La columna ${verbatim(column)} designa el sensor de otra columna.`,
    hint: say`Cambie el nombre de una de ellas, o déjela sin leer con ${argument(option)} "NOMBRE=ignore".`,
  }),
  noMeaning: (entry, option) => ({
    message: say`${argument(option)} ${quotedName(entry)} no dice qué es una columna.`,
    hint: say`Escriba NOMBRE=SIGNIFICADO, separados por ; si son varios. ${MEANINGS}`,
  }),
  otherUnit: (column, option) => ({
    message: say`${verbatim(column)} tiene una unidad que no se lee.`,
    hint: say`Indique la unidad de sus valores en ${argument(option)}, como «NAME=tension_20 (kPa)»; se leen kPa, cbar, hPa, bar, MPa, cmH2O, %, m3/m3, °C y °F.`,
  }),
  depthAlone: (column, option) => ({
    message: say`${argument(option)} da una profundidad a ${verbatim(column)}, pero su nombre no dice qué mide.`,
    hint: say`Escriba ambas cosas en ${argument(option)}: el nombre, = y, por ejemplo, humidity_10, o con unidad "humidity_10 (%)".`,
  }),
  noSuchColumn: (column, columns, option) => ({
    message: say`El archivo no tiene la columna ${verbatim(column)}: ${verbatim(columns)}.`,
    hint: say`Escriba el nombre en ${argument(option)} como en el encabezado.`,
  }),
  noModule: (option) => ({
    message: say`Este archivo, con una columna por sensor, no dice de qué módulo son las lecturas.`,
    hint: say`Añada ${argument(option)}: la sonda o la estación de la que vienen todas las lecturas.`,
  }),
  moduleInRows: (option, mapOption, column) => ({
    message: say`Este archivo de lecturas nombra un módulo en cada fila.`,
    hint: say`Quite ${argument(option)}, o deje la columna sin leer con ${argument(mapOption)} "${verbatim(column)}=ignore".`,
  }),
  unknownModule: (name, known) => ({
    message: say`Ningún módulo se llama ${quotedName(name)}.`,
    hint: isEmpty(known)
      ? say`Importe primero un archivo de la finca: declara los módulos.`
      : say`Existen ${known}.`,
  }),
  severalModules: (name, modules, option, id) => ({
    message: say`${quotedName(name)} puede designar varios módulos: ${modules}.`,
    hint: say`Dé el identificador con # delante en ${argument(option)}, como "#${id}".`,
  }),
  ambiguousDates: (example, option) => ({
    message: say`Las fechas como ${quotedName(example)} se pueden leer de dos maneras, y ningún día mayor que 12 en las primeras filas dice cuál.`,
    hint: say`Dígalo con ${argument(option)}: dmy si el día va primero, mdy si va el mes.`,
  }),
  swappedDates: (one, other, either) => ({
    message: say`Las líneas ${one.line} y ${other.line} escriben las fechas de dos maneras, ${quotedName(one.text)} y ${quotedName(other.text)}: quizá una hoja de cálculo cambió el día por el mes donde ambos llegan hasta 12${either && say` (${either})`}, desde la línea ${one.line}.`,
    hint: say`Exporte de nuevo el archivo sin abrirlo antes en una hoja de cálculo, o escriba todas sus fechas de la misma manera, como 2025-01-31.`,
  }),
  skippedHour: ({ line, text: time }, zone, [winter, summer], option) => ({
    message: say`La línea ${line} tiene la hora ${quotedName(time)}, que no existe en ${verbatim(zone)} (cambio al horario de verano): quizá el reloj del archivo sea el mismo todo el año, y otras filas quedarían desplazadas una hora.`,
    hint: say`Diga cuál con ${argument(option)}: ${verbatim(winter)} si marca el horario de invierno todo el año, ${verbatim(summer)} si marca el de verano.`,
  }),
  hourNotRepeated: (day, zone, [winter, summer], option) => ({
    message: say`Las filas del ${localDay(day)} no repiten la hora que repiten los relojes de ${verbatim(zone)}: quizá el del archivo sea el mismo todo el año, y una parte de las filas quedaría desplazada una hora.`,
    hint: say`Diga cuál con ${argument(option)}: ${verbatim(winter)} si marca el horario de invierno todo el año, ${verbatim(summer)} si marca el de verano, ${verbatim(zone)} si se atrasa y falta esa hora.`,
  }),
  mayBeFraction: (columns, more, option, map) => ({
    message: say`Ningún valor de ${verbatim(columns)}${more > 0 ? say` y ${more} más` : null} es mayor que 1: pueden ser m3/m3 y no %, así que no se guardó nada.`,
    hint: say`Diga la unidad con ${argument(option)} ${verbatim(map)}, o con (%) en lugar de (m3/m3) si los valores son porcentajes.`,
  }),
  /** Empty columns: all of them are known. */
  dailyWeather: (columns) => ({
    message:
      columns === ''
        ? say`Esto es el tiempo por días, no lecturas de un sensor.`
        : say`Esto es el tiempo por días, con columnas desconocidas: ${verbatim(columns)}.`,
    hint:
      columns === ''
        ? say`Impórtelo desde un archivo: acequia import weather.csv.`
        : say`El tiempo por días tiene date, parcel, rain, tmin, tmax, rhmin, rhmax, dewpoint, u2 (viento a 2 m) y srad, con la unidad entre paréntesis si es otra: renombre o quite las demás.`,
  }),
  noWeatherHeader: () => ({
    message: say`El archivo no tiene un encabezado de meteorología diaria.`,
    hint: say`Nombre sus columnas date y rain (lluvia), tmin, tmax, rhmin, rhmax, u2 o srad.`,
  }),
};
