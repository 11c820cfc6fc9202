import SookeModel

/// The numbers of a business's parts: its rows of hours, its menus and their items.
extension Business {
    /// Gives numbers to the parts that bring none: that of the same part before the change, or the next one.
    ///
    /// The same part is the row of the same day, the menu of the same name, the item of the same name in it.
    mutating func keepNumbers(of existing: Business?, _ numbers: inout RecordNumbers) {
        for index in hours.indices where hours[index].id == 0 {
            let day = hours[index].dayOfWeek
            hours[index].id = existing?.hours.first { $0.dayOfWeek == day }?.id ?? numbers.next(.hours)
        }
        for index in menus.indices {
            let name = menus[index].name
            let before = existing?.menus.first { $0.name == name }
            if menus[index].id == 0 { menus[index].id = before?.id ?? numbers.next(.menu) }
            for item in menus[index].items.indices where menus[index].items[item].id == 0 {
                let name = menus[index].items[item].name
                menus[index].items[item].id = before?.items.first { $0.name == name }?.id ?? numbers.next(.item)
            }
        }
    }

    /// Puts the parts into the order in which they are kept: hours by day, menus and items by number.
    mutating func putInOrder() {
        hours.sort { $0.dayOfWeek < $1.dayOfWeek }
        menus.sort { $0.id < $1.id }
        for index in menus.indices { menus[index].items.sort { $0.id < $1.id } }
    }
}
