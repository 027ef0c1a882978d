/** Colours and font are the page's own; `::part(group)` is for its style sheet. */
export const style = `
:host{display:block}
h2{font-size:1.2em;margin:0 0 .5em}
fieldset{margin:0 0 1em;padding:.75em 1em 1em;border:1px solid;border-radius:8px;min-width:0}
legend{font-weight:600;padding:0 .4em}
p{margin:.25em 0 .5em}
p:empty{margin:0}
.tick{display:flex;gap:.6em;align-items:flex-start;min-height:44px;padding:.6em 0;box-sizing:border-box;overflow-wrap:anywhere}
.tick input{flex:none;width:1.25em;height:1.25em;margin:0}
.times{display:flex;flex-wrap:wrap;gap:.5em 1.25em}
button,select,input[type=time]{font:inherit;min-height:44px;padding:.4em 1em;border:1px solid;border-radius:8px;background:transparent;color:inherit}
select{width:100%}
select option{background:Canvas;color:CanvasText}
button{cursor:pointer}
.main{font-weight:600;margin-bottom:1em}
:focus-visible{outline:3px solid;outline-offset:2px}`;
