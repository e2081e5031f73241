import type * as english from '../en/operator-chains.ts';
import type { Translation } from '../texts.ts';

export const chains: Translation<typeof english.chains> = {
  lead: 'Cuánto está atrasado cada observador respecto de su cadena y cómo está configurado.',
  block: 'Bloque',
  noteColumn: 'Problema',
  at: 'Bloque {{height}} de {{head}}',
  lag_one: '{{count}} bloque de atraso',
  lag_many: '{{count}} de bloques de atraso',
  lag_other: '{{count}} bloques de atraso',
  state: {
    unconfigured: 'Sin configurar',
    disabled: 'Desactivada',
    starting: 'Iniciando',
    following: 'En marcha',
    catching_up: 'Poniéndose al día',
    stalled: 'Sin avanzar',
    halted: 'Detenida',
  },
  lastAnswer: 'Última respuesta:',
  configure: 'Configurar',
  configureName: 'Configurar {{name}}',
  endpoints: 'Direcciones de los endpoints RPC',
  endpointsLead: 'Una por línea, primero la preferida. Se guardan cifradas.',
  endpointsKept: 'Ahora: {{endpoints}}. Deja esto vacío para conservarlas.',
  xpub: 'Clave pública extendida',
  coin: 'Moneda nativa de la red',
  coinLead:
    'Se puede corregir mientras ningún depósito se haya acreditado como otra moneda. Vacío: como ' +
    'está.',
  xpubLead: 'De ella se derivan las direcciones. Una clave privada se rechaza.',
  retire: 'Retirar las direcciones de la clave anterior',
  retireLead:
    'Cada persona recibe una dirección nueva en la próxima solicitud, en todas las redes de este ' +
    'tipo de cadena. Las anteriores se siguen vigilando. Es necesario si una clave se perdió o ' +
    'fue robada.',
  more: 'Más ajustes',
  explorer: 'Enlace al explorador de bloques',
  explorerLead:
    'Con {tx} en lugar del hash, por ejemplo https://etherscan.io/tx/{tx}. Vacío: como está.',
  finalized: 'Esperar también el bloque que la cadena declara finalizado',
  numbers: {
    reorg_window: 'Bloques recordados para reorganizaciones',
    block_ms: 'Tiempo entre bloques (ms)',
    poll_ms: 'Tiempo entre dos consultas (ms)',
    start_height: 'Primer bloque que se lee',
  },
  add: 'Agregar una red',
  addLead:
    'Para una cadena que no está en la lista. Su código, su nombre, su tipo y los datos de la ' +
    'cadena no se pueden cambiar después; los endpoints RPC y la clave pública se configuran ' +
    'al final.',
  codeLead: 'De 2 a 32 mayúsculas, dígitos y guiones bajos, por ejemplo GNOSIS.',
  codeTaken: 'Esta red ya está en la lista: configúrala allí.',
  evm: 'EVM (familia de Ethereum)',
  utxo: 'UTXO (familia de Bitcoin)',
  chainIdLead: 'Según EIP-155, por ejemplo 100.',
  addressPrefix: 'Primera parte de sus direcciones (bech32)',
  addressPrefixLead: 'Por ejemplo, bc.',
  uriScheme: 'Esquema de los enlaces de pago',
  uriSchemeLead: 'Por ejemplo, bitcoin.',
  confirmations: 'Confirmaciones hasta acreditar un depósito',
  enabled: 'Observar esta red',
  saveNetwork: 'Guardar la red',
  tokens: 'Monedas en esta red',
  currency: 'Moneda',
  contract: 'Dirección del contrato',
  contractLead: 'Vacío para la moneda nativa de la red.',
  decimals: 'Decimales',
  minimum: 'Depósito mínimo',
  tokenEnabled: 'Acreditar sus depósitos',
  saveToken: 'Guardar {{currency}}',
  addToken: 'Agregar moneda',
  halt: {
    reorganisation_too_deep:
      'Una reorganización supera los {{blocks}} bloques guardados. Revisa la cadena y reanuda.',
    first_block_replaced:
      'El primer bloque guardado ya no es parte de la cadena. Revisa la cadena y reanuda.',
  },
  note: {
    other: 'El endpoint RPC falló: “{{words}}”',
    no_endpoints: 'La red no tiene endpoints RPC',
    no_endpoint_answers: 'Ningún endpoint RPC responde',
    wrong_chain: 'Es un endpoint RPC de la cadena {{told}}, no de {{expected}}',
    behind:
      'El endpoint RPC está atrasado: informa {{head}} bloques, pero no tiene el bloque ' +
      '{{height}}',
    head_without_block:
      'El endpoint RPC informa {{head}} bloques, pero no tiene el bloque {{height}}',
    block_lost: 'El endpoint RPC perdió su bloque {{height}}',
    block_not_following: 'El bloque {{height}} no sigue al bloque {{before}}',
    block_replaced_meanwhile: 'El bloque {{height}} fue reemplazado mientras se leía',
    other_block_came: 'Se pidió el bloque {{asked}} y llegó el {{came}}',
    transaction_elsewhere: 'Una transacción indica otro bloque que el que la contiene',
    transaction_in_two_blocks: 'La transacción {{transaction}} está en dos bloques',
    log_elsewhere: 'Llegó un log de otro bloque',
    logs_collide: 'Dos logs distintos reclaman el lugar {{place}}',
    logs_missing: 'A los recibos del bloque {{height}} les faltan logs que anuncia su cabecera',
    receipts_missing: 'Al bloque {{height}} le faltan recibos',
    receipt_missing: 'El endpoint RPC no tiene el recibo de una transacción del bloque {{height}}',
    receipt_elsewhere: 'Llegó un recibo de otro bloque o de otra transacción',
    backfill_differs: 'Un bloque que se lee de nuevo no es el que se leyó antes',
    backfill_broken: 'Los bloques que se leen de nuevo no se siguen entre sí',
    field_missing: 'Respuesta con formato incorrecto: falta {{field}}',
    field_malformed: 'Respuesta con formato incorrecto: {{field}} es {{value}}',
    refused: 'El endpoint RPC rechaza {{method}}: “{{words}}”',
    too_slow: '{{method}} no tuvo respuesta a tiempo',
    no_connection: 'No hay conexión para {{method}}',
    http_status: '{{method}} se respondió con el estado {{status}}',
    too_large: 'La respuesta a {{method}} es mayor que {{bytes}}',
    no_json: 'La respuesta a {{method}} no es JSON',
    no_object: 'La respuesta a {{method}} no es un objeto',
    no_result: 'La respuesta a {{method}} no tiene resultado',
    block_awaited: 'Esperando el bloque {{height}}',
    endpoints_disagree: 'Los endpoints RPC no coinciden sobre el bloque {{height}}',
    one_endpoint_has_it: 'Solo un endpoint RPC tiene ya el bloque {{height}}',
    one_endpoint_differs:
      'Un solo endpoint RPC tiene un bloque {{height}} distinto del que se leyó',
    read_otherwise: 'El bloque {{height}} guardado difiere del que tiene el endpoint RPC',
    block_not_shown: 'El endpoint RPC no muestra el bloque {{height}}',
    endpoint_behind: 'El endpoint RPC está atrasado: tiene {{head}} bloques y se leyeron {{read}}',
    endpoint_changed_its_mind: 'El endpoint RPC devolvió cabeceras contradictorias',
    no_finalized_tag:
      'El endpoint RPC no conoce la etiqueta “finalized”. Desactívala si la cadena no la tiene',
    another_watcher: 'Otra instancia sigue esta red',
  },
  failingNodes: 'Endpoints RPC que fallan',
  resumeLead:
    'Los depósitos por encima de este bloque se revierten, y se acreditan de nuevo si la ' +
    'cadena aún los tiene.',
  height: 'Altura del bloque',
  hash: 'Hash del bloque',
  resume: 'Reanudar desde este bloque',
  resumeTitle: '¿Reanudar {{name}} desde el bloque {{height}}?',
  haltPart: 'Detener',
  haltLead: 'No se lee, acredita ni revierte nada hasta que se reanude desde un bloque.',
  haltReason: 'Motivo, visible mientras está detenida',
  haltNow: 'Detener esta red',
  searchPart: 'Buscar de nuevo',
  searchLead:
    'Encuentra depósitos anteriores a la observación de la red o a la emisión de su dirección. ' +
    'Nada se acredita dos veces.',
  firstBlock: 'Primer bloque',
  searchAgain: 'Buscar de nuevo desde este bloque',
  searching: 'Los bloques {{from}} a {{to}} se leen de nuevo.',
  unswept: 'Fondos sin mover',
  unsweptLead:
    'Lo que hay en las direcciones de depósito, según la cadena. Muévelo con la billetera que ' +
    'tiene la clave.',
  chooseNetwork: 'Elige una red',
  unsweptNone: 'No hay nada en las direcciones de depósito',
  unsweptShown: 'Se muestran {{shown}} de {{all}}. El archivo los tiene todos.',
  address: 'Dirección',
  path: 'Ruta de derivación',
};
