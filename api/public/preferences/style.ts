/** Of the page: its hash is in the policy. */
export const style = `
:root{color-scheme:light dark;--text:#1b1b1f;--soft:#55565c;--page:#f4f4f6;--card:#fff;--line:#85868c;--main:#0b57d0;--on-main:#fff}
@media(prefers-color-scheme:dark){:root{--text:#ececf0;--soft:#b4b5bb;--page:#131316;--card:#1e1e22;--line:#85868c;--main:#a8c7fa;--on-main:#062e6f}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:17px/1.5 system-ui,sans-serif}
main{max-width:36rem;margin:0 auto;padding:2rem 1rem 3rem}
h1{font-size:1.6rem;line-height:1.25;margin:0}
h2,legend{font-size:1.05rem;font-weight:600;margin:0;padding:0}
.lead{margin:.25rem 0 1.5rem;color:var(--soft)}
form{margin:0}
fieldset,section{margin:0 0 1rem;padding:1rem 1.25rem;border:0;border-radius:12px;background:var(--card)}
legend{float:inline-start;width:100%}
legend~*{clear:both}
.tick{display:flex;gap:.6rem;align-items:flex-start;min-height:44px;padding:.55rem 0;overflow-wrap:anywhere}
.tick input{flex:none;width:1.25rem;height:1.25rem;margin:.15rem 0;accent-color:var(--main)}
.times{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem}
.times label{display:inline-flex;gap:.5rem;align-items:center}
.hint{margin:.5rem 0 .75rem;color:var(--soft);font-size:.95rem}
fieldset .hint{margin-bottom:0}
select,input[type=time],button{font:inherit;min-height:44px;padding:.4em .8em;border:1px solid var(--line);border-radius:8px;background:var(--card);color:inherit}
select{width:100%;margin-top:.5rem}
button{cursor:pointer;padding:.4em 1.25em}
button.main{border-color:var(--main);background:var(--main);color:var(--on-main);font-weight:600}
form>p{margin:0 0 2rem}
a{color:var(--main)}
:focus-visible{outline:3px solid var(--main);outline-offset:2px}
.saved{margin:0 0 1rem;padding:.75rem 1.25rem;border:1px solid var(--line);border-radius:12px;background:var(--card)}
nav{margin-top:2rem;font-size:.95rem}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:0;padding:0;list-style:none}
nav a,nav li[aria-current]{display:inline-block;padding:.35rem 0}
nav li[aria-current]{color:var(--soft)}
`;
