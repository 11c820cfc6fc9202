# Completion of sooke for bash. In this shell: source <(sooke completion bash)

_sooke_offer() {
    local item
    case $1 in files | folders) compopt -o filenames 2>/dev/null ;; esac
    while IFS= read -r item; do
        COMPREPLY+=("$item")
    done < <(
        case $1 in
            words) compgen -W "$2" -- "$word" ;;
            files) compgen -f -- "$word" ;;
            folders) compgen -d -- "$word" ;;
        esac
    )
}

~zones~

_sooke() {
    local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} position=$COMP_CWORD
    COMPREPLY=()
    # --option=value comes as three words.
    if [[ $word == = ]]; then
        word=
    elif [[ $option == = ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if ((position == 1)); then
        _sooke_offer words '~commands~ --help'
        return
    fi
    case "$command $option" in
~options~
    esac
    case $command in
~words~
    esac
}

complete -F _sooke sooke
