import { makers, type SignsOfLanguage } from './language.ts';

const device =
  '(?:telefono|movil|celular|smartphone|dispositivo|ordenador|computadora|pc|portatil|mac|iphone|android|tableta|sistema|navegador|bateria)';

/** `su` is also theirs, his and hers: it speaks to the reader where a segment begins with it. */
const yours = '(?:^(?:\\w+ )?su|\\btu)';

export const es: SignsOfLanguage = {
  segment: {
    'account-threat': [
      new RegExp(
        `${yours} (?:\\w+ )?(?:cuenta|tarjeta|perfil|acceso|suscripcion|metodo de pago)(?: \\w+){0,2} (?:ha sido|esta|fue|sera) (?:\\w+ ){0,2}(?:suspendid|bloquead|limitad|restringid|desactivad|cerrad|hackead|eliminad|congelad)[oa]\\b`,
      ),
      /\b(?:verifica|confirma|valida|verifique|confirme|valide|actualice) (?:ya |ahora )?(?:tu|su|tus|sus) (?:\w+ ){0,2}(?:cuenta|identidad|contrasena|tarjeta|datos|pago)(?: \w+){0,3} (?:ya|ahora|hoy|inmediatamente|de inmediato|para evitar|antes de)\b/,
      /\b(?:inicio de sesion|actividad) (?:inusual|sospechos[oa])(?: \w+){0,3} en (?:tu|su) cuenta\b/,
      new RegExp(
        `${yours} (?:paquete|envio) (?:\\w+ )?(?:esta (?:retenido|en espera|pendiente)|no (?:ha podido|pudo) ser entregado)\\b`,
      ),
    ],
    prize: [
      /\b(?:has ganado|usted ha ganado|ganaste) (?:un|una|el|la|\d[\d.]*) ?(?:nuevo |nueva |gran )?(?:iphone|premio|regalo|euros?|€|dolares|coche|auto|tarjeta|samsung|sorteo|loteria)\b/,
      /\b(?:has ganado|usted ha ganado|ganaste)$/,
      /\b(?:felicidades|enhorabuena),? (?:has|usted|tu|eres)\b.{0,40}\b(?:ganado|ganador|ganadora|elegid[oa]|seleccionad[oa]|premio)\b/,
      /\b(?:reclama|reclame|recoge|recoja|canjea|canjee) (?:ya |ahora )?(?:tu|su) (?:\w+ )?(?:premio|regalo|recompensa|bono|iphone|tarjeta)\b/,
      /\b(?:has sido|usted ha sido) (?:seleccionad|elegid)[oa]\b/,
      /\b(?:eres|usted es) (?:el|la|nuestr[oa]) (?:\w+ )?(?:ganador|ganadora|afortunad[oa]|visitante)\b/,
    ],
    'fake-system-message': [
      new RegExp(
        `(?:${yours}|\\beste) (?:\\w+ )?${device} (?:esta|ha sido|fue) (?:\\w+ ){0,3}(?:infectad[oa]|danad[oa]|hackead[oa]|en peligro|desprotegid[oa]|bloquead[oa])\\b`,
      ),
      /\b(?:\d+|varios|varias) (?:virus|amenazas|troyanos)(?: \w+){0,3} en (?:tu|su|este)\b/,
      new RegExp(
        `\\b(?:limpia|limpie|escanea|escanee|repara|repare) (?:tu|su|este) (?:\\w+ )?${device} (?:ya|ahora|inmediatamente)\\b`,
      ),
      /\b(?:llame|llama) a (?:microsoft|apple|google|windows|nuestro)(?: \w+){0,2} (?:ya|ahora|inmediatamente|al \+?\d)/,
    ],
    impersonation: [
      new RegExp(
        `${yours} (?:navegador|chrome|sistema|telefono|android|windows|iphone|movil) (?:esta (?:desactualizado|obsoleto|anticuado)|no esta actualizado)\\b`,
      ),
      /\bactualizacion (?:de chrome|del navegador|del sistema) (?:requerida|obligatoria|necesaria)\b/,
    ],
    'money-doubling': [
      /\b(?:duplica|duplique|triplica|triplique|multiplica|multiplique) (?:ya )?(?:tu|su|tus|sus) (?:\w+ )?(?:bitcoins?|criptos?\w*|dinero|inversion|ahorros|capital)\b/,
      /\b(?:envia|envie|deposita|deposite)\b.{0,40}\b(?:btc|bitcoins?|eth|ethereum|criptos?\w*)\b.{0,40}\b(?:recibe|reciba|obten|obtenga)\b.{0,30}\b(?:vuelta|doble|veces)\b/,
      /\bganancias garantizadas\b/,
    ],
  },
  whole: {
    'fake-system-message': [
      /^(?:(?:atencion|alerta|advertencia|aviso|peligro)\W+)?(?:\d+ )?(?:virus|malware|troyanos?|amenazas?) (?:ha sido |han sido )?(?:detectad|encontrad)[oa]s?\W*$/,
    ],
    impersonation: [
      new RegExp(
        `^(?:alerta|aviso|advertencia|mensaje|notificacion)(?: de)?(?: seguridad| sistema)?(?: de)? (?:${makers})\\W*$`,
      ),
      new RegExp(
        `^(?:alerta|aviso|advertencia|mensaje|seguridad|soporte)(?: de)?(?: seguridad)?(?: de)? (?:${makers}) ?[:!|].*\\b(?:tu|su|tus|sus)\\b`,
      ),
    ],
  },
  reported: /\b(?:como|por que|si|cuando|que|donde|podria|puede|quien|dice)\b/,
};
