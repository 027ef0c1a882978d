/** As newsrooms write them, news about deception among them. None of them deceives anybody. */
export const headlines = `
El Congreso aprueba los presupuestos de madrugada
Alerta por temporal en la costa: trenes cancelados hasta el jueves
El BCE mantiene los tipos de interés
Dos muertos por un alud en los Pirineos
Se reanudan las conversaciones de alto el fuego en Ginebra
El Madrid ha ganado el derbi por 3–1
Inundaciones: miles de vecinos desalojados
Retiran leche infantil contaminada
Hallan dos nuevos virus en murciélagos
Detectado el virus de la gripe aviar en una granja
Millones de routers infectados, según investigadores
La policía alerta de falsos SMS de paquetería
Estafadores se hacen pasar por empleados del banco
«Su cuenta ha sido suspendida»: el SMS que arruinó a una jubilada
Cómo saber si tu móvil ha sido hackeado
¿Está infectado tu móvil? Cinco señales
Qué hacer cuando tu tarjeta está bloqueada en el extranjero
Por qué tu cuenta podría ser cerrada
Microsoft corrige 60 fallos de seguridad en Windows
Fin de Windows 10: cuáles son tus opciones
Google alerta de un fallo grave en Chrome
Apple avisa a usuarios de 92 países de ataques con programas espía
Actualiza Chrome: Google corrige un fallo explotado
Samsung retira móviles con baterías defectuosas
El bitcoin supera los 100.000 dólares
El bitcoin duplica su valor en un año
Cómo duplicar tus ahorros antes de jubilarte
Quiebra una plataforma de criptomonedas: los clientes esperan su dinero
Prisión por una estafa que prometía duplicar bitcoins
Un jubilado de Sevilla gana 38 millones en la lotería
¿Has ganado? Los números de la lotería del sábado
Ha ganado el premio y lo dona
El premio que nadie reclama
«¡Has ganado!»: vuelve el viejo timo
El Nobel premia a tres físicos
Ha sido elegido para dirigir la OMS
Felicidades de medio mundo para la campeona
PayPal sube las comisiones a los comercios
Amazon recorta 14.000 empleos
Netflix acaba con las cuentas compartidas
Piratas informáticos publican datos de dos millones de pacientes
Voces imitadas con IA: así engañan a los abuelos
El virus que cambió el mundo
Tu fin de semana en cinco imágenes
Tu guía de las elecciones municipales
Tu dinero: lo que cambia en enero
Tus derechos cuando el paquete no llega
Última oportunidad para ver auroras boreales
Así comprobamos las imágenes
Confirmado: la cumbre será en Praga
En directo: siga el recuento
Última hora: dimite el primer ministro
¡Gol! España se adelanta en el minuto 12
Huelga de trenes desde el lunes: líneas afectadas
El precio de la vivienda baja por sexto mes
Una fábrica de baterías creará 3.000 empleos
Prohibidos los móviles en las escuelas desde septiembre
El expresidente denuncia que su cuenta fue suspendida
Cientos de cuentas bloqueadas tras un ciberataque
Una actriz: «Mi móvil fue hackeado»
El resumen de la mañana: las tres noticias del día
`
  .trim()
  .split('\n');

/** As deceptive notifications have them. */
export const deceptions: Readonly<Record<string, readonly string[]>> = {
  'account-threat': [
    '¡Tu cuenta ha sido suspendida!',
    'Atención: su cuenta bancaria será bloqueada',
    'Verifica tu identidad ahora',
    'Tu paquete está retenido',
    'Inicio de sesión sospechoso en tu cuenta',
  ],
  prize: [
    '¡Has ganado!',
    'Has ganado un iPhone',
    'Felicidades, has sido seleccionado',
    'Reclama tu premio',
    'Eres el afortunado ganador',
  ],
  'fake-system-message': [
    'Tu móvil está infectado',
    '¡Virus detectado!',
    'Atención: 5 virus encontrados en tu dispositivo',
    'Tu batería está dañada',
    'Limpia tu móvil ahora',
  ],
  impersonation: [
    'Alerta de seguridad de Chrome',
    'Alerta de Google: tus fotos serán borradas',
    'Tu navegador está desactualizado',
    'Actualización del navegador requerida',
  ],
  'money-doubling': [
    'Duplica tus bitcoins',
    'Multiplica tu dinero',
    'Ganancias garantizadas',
    'Envía 1 BTC y recibe el doble de vuelta',
  ],
};
