import type { Texts } from '../texts.ts';

export const pt: Texts = {
  question: 'Quer receber as notícias na hora?',
  benefit: 'Mesmo com esta página fechada. Pode desativá-las quando quiser.',
  accept: 'Sim, quero ser avisado',
  later: 'Agora não',
  winBack:
    'O seu navegador desativou as notificações deste site porque não o visitava há algum tempo. Ativar de novo?',
  choose: 'Sobre que temas?',
  subscribe: 'Ativar as notificações',
  unsubscribe: 'Desativar as notificações',
  subscribed: 'As notificações estão ativadas.',
  unsubscribed: 'As notificações estão desativadas.',
  denied: 'As notificações estão bloqueadas. Permita-as nas definições do navegador para este site.',
  homeScreen:
    'Para receber notificações aqui, toque em «Partilhar», depois em «Adicionar ao ecrã principal» com «Abrir como app web», e abra a página a partir daí.',
  failed: 'Não funcionou. Tente novamente mais tarde.',
  close: 'Fechar',
  quiet: 'O navegador não perguntou, ou mostra apenas um sino riscado na barra de endereço?',
  showHow: 'Mostrar como permitir',
  helpTitle: 'Como ativar as notificações',
  helpEnd: 'Depois, recarregue esta página.',
  help: {
    chromeDesktop: [
      'Clique no ícone à esquerda do endereço.',
      'Abra «Definições de sites».',
      'Junto a «Notificações», escolha «Permitir».',
    ],
    chromeAndroid: [
      'Toque no ícone à esquerda do endereço.',
      'Toque em «Permissões» e depois em «Notificações».',
      'Ative «Mostrar notificações».',
      'Se estiver a cinzento, permita primeiro as notificações do Chrome nas definições do Android, em «Aplicações».',
    ],
    edge: [
      'Clique no ícone à esquerda do endereço.',
      'Abra «Permissões para este site».',
      'Junto a «Notificações», escolha «Permitir».',
    ],
    firefox: [
      'Clique no ícone à esquerda do endereço.',
      'Junto a «Enviar notificações», remova «Bloqueado».',
      'No Android, toque no cadeado e depois em «Notificação», até indicar «Permitido».',
    ],
    safari: [
      'Na barra de menus, abra «Safari» e depois «Definições».',
      'Escolha «Sites» e depois «Notificações».',
      'Junto a este site, escolha «Permitir».',
    ],
    ios: [
      'Toque em «Partilhar», depois em «Adicionar ao ecrã principal» com «Abrir como app web», e abra o site a partir daí.',
      'Se já lá estiver, abra a app «Definições» e depois «Notificações».',
      'Escolha este site e ative «Permitir notificações».',
    ],
  },
};
