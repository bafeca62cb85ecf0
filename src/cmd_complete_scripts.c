#include "cmd_complete_scripts.h"

#include <stddef.h>

/* Bash divides words at '=' and ':' and replaces only what is behind the last of these; words are therefore joined
 * where no space is between them, and what stands before is cut off from what was found. It puts words in as they are,
 * and a label may hold anything: they are quoted here, or left out where an open quotation cannot hold them. */
static const char bash[] =
    "# bash completion for vmstat-bench\n"
    "_vmstat_bench() {\n"
    "	local line=${COMP_LINE:0:COMP_POINT} word i before\n"
    "	local -a words=() found=()\n"
    "	for ((i = 0; i <= COMP_CWORD; i++)); do\n"
    "		word=${COMP_WORDS[i]}\n"
    "		if [[ $i -eq 0 || $line == [[:space:]]* ]]; then\n"
    "			line=${line#\"${line%%[![:space:]]*}\"}\n"
    "			words+=('')\n"
    "		fi\n"
    "		[[ $i -eq $COMP_CWORD ]] && word=$line\n"
    "		words[-1]+=$word\n"
    "		line=${line#\"$word\"}\n"
    "	done\n"
    "	mapfile -t found < <(command \"$1\" completion words -- \"${words[@]:1}\" 2>/dev/null)\n"
    "	before=${words[-1]%\"$2\"}\n"
    "	case ${found[0]} in\n"
    "	words) compopt +o default 2>/dev/null ;;\n"
    "	directories) compopt +o default -o dirnames 2>/dev/null ;;\n"
    "	files) [[ -z $before && ${#found[@]} -gt 1 ]] && mapfile -t -O ${#found[@]} found < <(compgen -f -- \"$2\") "
    ";;\n"
    "	esac\n"
    "	COMPREPLY=()\n"
    "	for word in \"${found[@]:1}\"; do\n"
    "		i=${before//[\\\\\\'\\\"]/}\n"
    "		word=${word:${#i}}\n"
    "		case $before in\n"
    "		*\\') [[ $word == *\\'* ]] && continue ;;\n"
    "		*\\\") [[ $word == *[\\\\\\\"\\$\\`!]* ]] && continue ;;\n"
    "		*) [[ $word == *[!a-zA-Z0-9_.,:=+/-]* ]] && printf -v word %q \"$word\" ;;\n"
    "		esac\n"
    "		COMPREPLY+=(\"$word\")\n"
    "	done\n"
    "	[[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[:=] ]] && compopt -o nospace 2>/dev/null\n"
    "}\n"
    "complete -o default -F _vmstat_bench vmstat-bench\n";

static const char zsh[] =
    "#compdef vmstat-bench\n"
    "# zsh completion for vmstat-bench\n"
    "_vmstat-bench() {\n"
    "	local -a found open\n"
    "	found=(\"${(@f)$(command ${(Q)words[1]} completion words -- \"${(@)words[2,CURRENT-1]}\" \"$PREFIX\" "
    "2>/dev/null)}\")\n"
    "	local what=$found[1]\n"
    "	found=(\"${(@)found[2,-1]}\")\n"
    "	open=(${(M)found:#*[:=]})\n"
    "	found=(${found:#*[:=]})\n"
    "	compadd -a found\n"
    "	compadd -S '' -a open\n"
    "	[[ $what == words ]] && return\n"
    "	compset -P '--[a-z-]#='\n"
    "	case $what in\n"
    "	directories) _files -/ ;;\n"
    "	files) _files ;;\n"
    "	esac\n"
    "}\n"
    "if [[ $funcstack[1] == _vmstat-bench ]]; then _vmstat-bench \"$@\"; else compdef _vmstat-bench vmstat-bench; fi\n";

const struct completion_script completion_scripts[] = {{"bash", bash}, {"zsh", zsh}, {NULL, NULL}};
