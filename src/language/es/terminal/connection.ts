import type { Language } from '../../en/index.ts';

export const spanishConnection: Language['connection'] = {
  newFile: 'nuevo',
  unchanged: (client, path, name) =>
    `${client} ya tiene esta entrada${name === undefined ? '' : ` «${name}»`} de Acequia: ${path}`,
  noEntry: (client, path, name) =>
    `${client} no tiene ninguna entrada${name === undefined ? '' : ` «${name}»`} de Acequia: ${path}`,
  twin: (name) =>
    `La entrada «${name}» también inicia Acequia: con las dos, cada herramienta aparece dos veces.`,
  otherFarms: (names) =>
    `Entradas de otras fincas: ${names}. El asistente distingue sus herramientas por estos nombres.`,
  losesProgram: (name) => `La entrada «${name}» inicia otro programa.`,
  losesFarm: (name) =>
    `La entrada «${name}» es de otro almacén, servicio o clave; --name conserva las dos.`,
  write: '¿Escribirla?',
  replace: '¿Sustituirla?',
  remove: '¿Quitarla?',
  declined: 'No se ha cambiado nada. Con --yes se escribe sin preguntar.',
  keyAccepted: (company) => `La clave se acepta para la empresa «${company}».`,
  starts: (client) => `${client} inicia ahora Acequia; reinícielo para que surta efecto.`,
  startsNoLonger: (client) => `${client} ya no inicia Acequia; reinícielo para que surta efecto.`,
  backup: (path) => `Copia del archivo anterior: ${path}`,
  mustBeSet: (names, client) =>
    `${names.join(' y ')}: hay que definirlo donde se inicia ${client}; el archivo solo remite a ello.`,
  holds: (names) => `El archivo contiene ahora ${names.join(' y ')}: manténgalo privado.`,
  refusals: {
    key: (command) => ({
      message: 'El almacén no acepta la clave, y todas las herramientas la rechazarían.',
      hint: `No se ha escrito nada. Cree una clave con «${command}» y désela a esta orden en ACEQUIA_API_KEY.`,
    }),
    folderOfNpx: (program) => ({
      message: `${program} está en la carpeta de npx, que puede borrarlo en cualquier momento.`,
      hint: 'Ponga Acequia en una carpeta que permanezca y ejecute la misma orden de esa copia.',
    }),
    notUtf8: (path) => ({
      message: `${path} no está escrito en UTF-8.`,
      hint: 'No se ha escrito nada. Convierta antes el archivo a UTF-8.',
    }),
    deadLink: (path) => ({
      message: `${path} es un enlace a un archivo que no existe.`,
      hint: 'No se ha escrito nada. Cree antes ese archivo, o quite el enlace.',
    }),
    changedMeanwhile: (path) => ({
      message: `Otro programa ha cambiado ${path} entretanto.`,
      hint: 'No se ha escrito nada. Ejecute la orden de nuevo.',
    }),
    notAFile: (path) => ({
      message: `${path} es una tubería o un dispositivo, no un archivo.`,
      hint: 'No se ha cambiado nada. Ponga un archivo en su lugar.',
    }),
    noAccess: (path, code) => ({
      message: `Este usuario no puede leer y escribir ${path} (${code}).`,
      hint: 'No se ha cambiado nada. Compruebe los permisos del archivo y de su carpeta.',
    }),
    notAnObject: (path, client, where) => ({
      message: `${path} contiene algo que no es un objeto en ${where === '' ? 'su raíz' : where}.`,
      hint: `No se ha escrito nada. ${client} espera ahí sus servidores; corrija antes el archivo.`,
    }),
    unreadable: (path, client, { line, column }) => ({
      message: `${client} no puede leer ${path} (línea ${line}, columna ${column}).`,
      hint: 'No se ha escrito nada. Corrija antes el archivo en ese punto; hasta entonces el programa no inicia ningún servidor.',
    }),
    fixedForm: (path, entry) => ({
      message: `${path} escribe ${entry} de una forma que no se puede cambiar sin tocar el resto del archivo.`,
      hint: 'No se ha escrito nada. Cámbielo a mano; «acequia connect --print» muestra la entrada.',
    }),
  },
};
